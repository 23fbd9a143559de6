"""The page that leads through the five steps of GB/T 37964-2019 B.2.5.2."""

from __future__ import annotations

import math

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from projects.core.numbers import count, number, percent
from techniques.catalogue import bases

from .forms import EpsilonForm


@require_safe
def histogram(request: HttpRequest) -> HttpResponse:
    """Every signed-in person: the standard's histogram with a budget of their own choice; the noise is drawn anew each time."""
    # A web process does without the numerical libraries until somebody looks here.
    import numpy as np

    from techniques.models.differential_privacy import histogram_example as example
    from techniques.models.differential_privacy.noise import laplace

    form = EpsilonForm(request.GET if "epsilon" in request.GET else None)
    valid = not form.is_bound or form.is_valid()
    context = {"form": form, "clause": bases.HISTOGRAM}
    if not valid:
        return render(request, "queries/example.html", context, status=422)
    epsilon = form.cleaned_data["epsilon"] if form.is_bound else EpsilonForm.base_fields["epsilon"].initial
    found = example.steps(epsilon, lambda scale, size: laplace(np.zeros(size, np.int64), scale).tolist())
    # Ages are whole numbers, and a band has its upper bound and not its lower.
    bands = [f"{low + 1}–{high}" for low, high in zip(example.BANDS, example.BANDS[1:], strict=False)]
    rows = list(zip(bands, found.histogram, found.noise, found.noisy, example.PUBLISHED, strict=True))
    context |= {
        "bars": [(band, counted) for band, counted, *_rest in rows],
        "rows": [
            (band, count(counted), f"{'+' if noise > 0 else ''}{count(noise)}", count(noisy), count(printed))
            for band, counted, noise, noisy, printed in rows
        ],
        "said": {
            "patients": count(found.patients),
            "epsilon": number(found.epsilon),
            "sensitivity": count(found.sensitivity),
            "scale": number(found.scale),
            "error": count(found.error),
            "confidence": percent(example.CONFIDENCE),
            "belief": percent(round(found.beliefs[0], 4)),
            # Rounded up, for it is a bound.
            "most": percent(math.ceil(found.beliefs[1] * 10_000) / 10_000),
            "times": number(round(math.exp(found.epsilon), 3)),
        },
    }
    return render(request, "queries/example.html", context)
