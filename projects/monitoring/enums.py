"""Vocabulary of monitoring and review (GB/T 37964 5.6)."""

from projects.workflow import Move, Stage, State

# The two ways out of each stage's review.
PASS: dict[State, Move] = {
    State.OBJECTIVE_REVIEW: Move.PASS_OBJECTIVE,
    State.IDENTIFICATION_REVIEW: Move.PASS_IDENTIFICATION,
    State.PROCESSING_REVIEW: Move.PASS_PROCESSING,
    State.VERIFICATION_REVIEW: Move.PASS_VERIFICATION,
}
RETURN: dict[State, Move] = {
    State.OBJECTIVE_REVIEW: Move.RETURN_OBJECTIVE,
    State.IDENTIFICATION_REVIEW: Move.RETURN_IDENTIFICATION,
    State.PROCESSING_REVIEW: Move.RETURN_PROCESSING,
    State.VERIFICATION_REVIEW: Move.RETURN_VERIFICATION,
}
# Who submitted what the review judges.
SUBMIT: dict[Stage, Move] = {
    Stage.OBJECTIVE: Move.SUBMIT_OBJECTIVE,
    Stage.IDENTIFICATION: Move.SUBMIT_IDENTIFICATION,
    Stage.PROCESSING: Move.SUBMIT_PROCESSING,
    Stage.VERIFICATION: Move.SUBMIT_VERIFICATION,
}
