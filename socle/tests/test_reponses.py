"""The response of an operation is Django's, made at less cost."""

from django.http import HttpResponse

from socle.api.reponses import ReponseEnOctets

TYPE = "application/json"


def etat(reponse: HttpResponse) -> dict[str, object]:
    return {**vars(reponse), "headers": reponse.headers._store}


def test_une_reponse_en_octets_est_celle_de_django():
    assert etat(ReponseEnOctets(b"{}", 201, TYPE)) == etat(HttpResponse(b"{}", status=201, content_type=TYPE))


def test_deux_reponses_n_ont_rien_en_commun():
    une, autre = ReponseEnOctets(b"", 200, TYPE), ReponseEnOctets(b"", 200, TYPE)

    une["ETag"] = '"a"'
    une.set_cookie("a", "b")
    une._resource_closers.append(print)
    une.write(b"encore")

    assert etat(autre) == etat(HttpResponse(b"", status=200, content_type=TYPE))
    assert (une.content, une.serialize_headers()) == (b"encore", b'Content-Type: application/json\r\nETag: "a"')
