"""What was known when, and how good each decision was by that: the review of a case that is over."""

from whodunit.review.judge import judge
from whodunit.review.review import VERSION, Review, review, stream
from whodunit.review.verdict import SeatReview, Verdict, Whole

__all__ = ["VERSION", "Review", "SeatReview", "Verdict", "Whole", "judge", "review", "stream"]
