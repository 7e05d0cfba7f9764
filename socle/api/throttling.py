"""The throttle class of every view: the request counts in the limits of its operation."""

from typing import Any

from rest_framework.throttling import BaseThrottle

from socle.domaine.limites import consommer


class LimitesDeLOperation(BaseThrottle):
    def allow_request(self, request: Any, view: Any) -> bool:
        """Count it in each limit that the view names; TropDeRequetes (429) above one, with the time to wait."""
        for portee, cle in view.limites(request):
            consommer(portee, cle)
        return True
