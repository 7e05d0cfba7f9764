"""Template filters of texts that the team wrote."""

import pytest

from socle.pages.balises import avec_appels


@pytest.mark.parametrize(
    ("ecrit", "rendu"),
    [
        ("Appelez le 112.", '<p>Appelez le <a href="tel:112">112</a>.</p>'),
        ("Une ligne.\r\nUne autre.\n\nUn paragraphe.", "<p>Une ligne.<br>Une autre.</p>\n\n<p>Un paragraphe.</p>"),
        (
            '<b id="x">06 39 98 00 21</b> &',
            '<p>&lt;b id=&quot;x&quot;&gt;<a href="tel:0639980021">06 39 98 00 21</a>&lt;/b&gt; &amp;</p>',
        ),
        ("{{ reference }} {% now 'Y' %}", "<p>{{ reference }} {% now &#x27;Y&#x27; %}</p>"),
    ],
)
def test_des_paragraphes_et_des_numeros_que_l_on_appelle_et_rien_qui_s_execute(ecrit, rendu):
    assert avec_appels(ecrit) == rendu
