"""Pictures in the browser: for whoever has a link, from the store alone."""

from collections.abc import Sequence

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cranfield.display.markup import PICTURES
from cranfield.features.documents.store.documents import picture_of
from cranfield.web.access import client_address, given_tokens
from cranfield.web.application import Application
from cranfield.web.language import translatable


def routes(app: Application) -> Sequence[Route]:
    """Where pages have pictures from."""

    async def picture(request: Request) -> Response:
        """A picture by its hash, as its own type and nothing else."""
        for token in given_tokens(request):
            if await app.access.visitor(token, client_address(request)):
                break
        else:
            raise HTTPException(403, translatable("You need a link from the organiser to see this picture."))
        image = await app.reader.run(lambda store: picture_of(store, request.path_params["digest"]))
        if image is None:
            raise HTTPException(404, translatable("There is no such picture."))
        return Response(image.data, media_type=f"image/{image.type}", headers={"content-disposition": "inline"})

    return [Route(f"{PICTURES}{{digest}}", picture, methods=["GET"])]
