"""Drawn portraits, chosen by a name: of nobody, and the same for a name each time."""

from random import Random

from benchmarks.demo_pictures.canvas import BLACK, WHITE, Canvas, mix

SIDE = 240
GROUNDS = ("#e9d9c3", "#cfdcd2", "#d3dfe8", "#e4dcef", "#f2d8b8", "#f0d5d2", "#e6e0cf", "#dbe6d5")
SKINS = ("#f0c8a6", "#e3b08a", "#c98d63", "#a86d47", "#7d4f31")
HAIRS = ("#2a1d17", "#3d2a1e", "#1d1a1f", "#5a3a22", "#6b625a")
CLOTHES = ("#7a4a32", "#2f4f46", "#33567a", "#4a3d6b", "#b0502f", "#566b2f", "#7d2f45", "#3c4a52")
STYLES = ("short", "short", "curly", "long", "bob", "bun")
EYES = "#2a211b"
# Whose first draw was too like another's: which draw is theirs.
THEIRS = """
alicja-wisniewska:9 arjun-sharma:21 beatrice-calloway:64 beatrice-kilbride:7 chiara-zanetti:5 delphine-guerin:11
fergus-calloway:5 florian-wiesner:14 friederike-kessler:34 graham-ridley:8 hannah-dornbusch:1 henning-sauer:2
isadora-figueiredo:22 isadora-tavares:17 jonas-eckstein:1 kai-lin:40 keisha-okafor:3 lena-reinhardt:1
lena-teichmann:1 linnea-akesson:5 matej-kucerova:12 matias-cardenas:26 matias-montero:4 matias-rivadeneira:3
matthias-grunewald:14 matthias-sauer:54 mikkel-nystrom:3 nicolo-colonna:11 noelia-benitez:15 ondrej-sedlak:67
ousmane-ndiaye:29 ratna-kusuma:48 riccardo-bellandi:17 ruben-dornbusch:22 stavros-doukas:3 tarek-mansouri:5
terrence-mercer:8 tomasz-czarnecka:12 wesley-abernathy:34 yasmine-naguib:2 zhi-lim:32
"""
DRAWS = dict(pair.split(":") for pair in THEIRS.split())


def face(name: str) -> Canvas:
    rng = Random(f"face:{name}:{DRAWS[name]}" if name in DRAWS else f"face:{name}")
    ground, skin, hair, cloth = (rng.choice(some) for some in (GROUNDS, SKINS, HAIRS, CLOTHES))
    style, has_glasses = rng.choice(STYLES), rng.random() < 0.3
    canvas = Canvas(SIDE, SIDE, ground=ground)
    _behind(canvas, style, hair)
    canvas.rect((28, 176, 184, 120), cloth, 64)
    canvas.oval((88, 148, 64, 58), mix(cloth, WHITE, 0.75))
    canvas.rect((98, 140, 44, 52), mix(skin, BLACK, 0.16), 22)
    for x in (68, 154):
        canvas.oval((x, 98, 18, 28), skin)
    canvas.oval((76, 44, 88, 126), skin)
    _over(canvas, style, hair)
    _features(canvas, skin, hair)
    if has_glasses:
        for x in (102, 138):
            canvas.arc((x, 108), 14, (0, 360), "#2b2a28", 3.4)
        canvas.line([(116, 106), (124, 106)], "#2b2a28", 3)
    return canvas


def _behind(canvas: Canvas, style: str, hair: str) -> None:
    if style == "long":
        canvas.rect((60, 34, 120, 168), hair, 58)
    elif style == "bob":
        canvas.rect((60, 34, 120, 122), hair, 54)
    elif style == "bun":
        canvas.circle((120, 34), 22, hair)


def _over(canvas: Canvas, style: str, hair: str) -> None:
    """The hair in front: a cap that leaves the forehead free, parted on one side."""
    if style == "curly":
        for x, y, r in (
            (78, 84, 17),
            (84, 62, 19),
            (102, 48, 20),
            (124, 44, 20),
            (146, 52, 20),
            (160, 72, 18),
            (163, 92, 13),
        ):
            canvas.circle((x, y), r, hair)
        return
    canvas.oval((72, 34, 96, 100), hair, start=180, end=360)
    skin_side = 84
    canvas.shape(
        [(72, 84), (168, 84), (166, 104), (158, 84), (132, 76), (104, 70), (skin_side, 88), (74, 106)], hair
    )


def _features(canvas: Canvas, skin: str, hair: str) -> None:
    shade, brow = mix(skin, BLACK, 0.3), mix(hair, BLACK, 0.15)
    for x in (103, 137):
        canvas.circle((x, 108), 4.4, EYES)
    canvas.line([(94, 97), (102, 94), (110, 96)], brow, 3.6)
    canvas.line([(130, 96), (138, 94), (146, 97)], brow, 3.6)
    canvas.line([(120, 110), (116, 125), (124, 126)], shade, 2.6)
    canvas.arc((120, 132), 15, (35, 145), mix(skin, "#8e2f2a", 0.55), 3.4)
