"""All attacks that a request asks for, on one result; command line and portal carry out the same ones."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from techniques.core.messages import EngineError, _
from techniques.core.settings import ClosedModel, Frozen
from techniques.disclosure_risk.attacks.inference import Inference, inference
from techniques.disclosure_risk.attacks.linkage import (
    InsiderLinkage,
    Linkability,
    insider_linkage,
    linkability,
)
from techniques.disclosure_risk.attacks.rates import Excess
from techniques.disclosure_risk.attacks.singling_out import KINDS, SinglingOut, singling_out
from techniques.disclosure_risk.attacks.targets import ATTEMPTS, Knowledge, Tables, Targets, Tick

MOST_ATTEMPTS = 20_000


class AttackRequest(ClosedModel):
    """What the attacker knows: the columns ``known``, numbers with an error of up to ``noise``, a share ``wrong`` of other cells
    mistaken; ``secrets`` are what they want to learn. Predicates are ``about`` these columns, about all where none is named.
    ``attempts`` persons and predicates are drawn by ``seed``."""

    known: tuple[str, ...] = Field(min_length=1)
    secrets: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    noise: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    wrong: float = Field(default=0.0, ge=0, le=1)
    attempts: int = Field(default=ATTEMPTS, ge=1, le=MOST_ATTEMPTS)
    seed: int = Field(default=0, ge=0)


class Attacks(Frozen):
    """What each attack found. ``linkage`` is None where the records of the result are nobody's, ``linkability`` where fewer than
    two columns are known."""

    request: AttackRequest
    linkage: InsiderLinkage | None
    singling_out: tuple[SinglingOut, ...]
    linkability: Linkability | None
    inference: tuple[Inference, ...]

    @property
    def risks(self) -> list[Excess]:
        """What each attack does better than that which it is measured against, where that can be said."""
        of = [self.linkage, *self.singling_out, self.linkability, *self.inference]
        return [one.risk for one in of if one is not None and one.risk is not None]


def attack(
    tables: Tables, request: AttackRequest, control: Tables | None = None, tick: Tick | None = None
) -> Attacks:
    """Carry out all of them. ``control`` are persons who are not in the result, as a source. Raises EngineError
    ``secret_known``, ``column_untold`` where the result says nothing comparable of a column that is known or a secret."""
    knowledge = Knowledge(
        columns=request.known, noise=request.noise, wrong=request.wrong,
        attempts=request.attempts, seed=request.seed,
    )  # fmt: skip
    for secret in request.secrets:
        if secret in request.known:
            text = _("Column %(column)s is either known or a secret, not both.")
            raise EngineError("secret_known", text, column=secret)
    tables.of([*request.known, *request.secrets])
    parts = 4 + len(request.secrets)
    done = 0

    def part(share: float) -> None:
        if tick is not None:
            tick((done + share) / parts)

    targets = Targets.of(tables, knowledge)
    others = Targets.of(control, knowledge) if control is not None else None
    linked = None if tables.made_up else insider_linkage(targets, part)
    predicates = []
    for kind in KINDS:
        done += 1
        predicates.append(
            singling_out(
                tables, kind, request.about or tables.comparable,
                attempts=request.attempts, seed=request.seed, control=control, tick=part,
            )
        )  # fmt: skip
    done += 1
    joined, half = None, (len(request.known) + 1) // 2
    if len(request.known) > 1:
        joined = linkability(targets, request.known[:half], request.known[half:], others, part)
    inferred = []
    for secret in request.secrets:
        done += 1
        inferred.append(inference(targets, secret, others, part))
    return Attacks(
        request=request,
        linkage=linked,
        singling_out=tuple(predicates),
        linkability=joined,
        inference=tuple(inferred),
    )
