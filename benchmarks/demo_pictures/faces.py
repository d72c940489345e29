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
# What a person's name lets one expect; a name that says nothing gets any of all.
WOMEN = """
alicja aniko anouk apolline beatrice birgit catalina chiara delphine farzana friederike hannah isadora keisha lena
linnea lotte maja marijke marisol mireille niamh noelia ratna serena siobhan theresa yasmine
"""
FAMILIES = {
    "okafor afolabi ndiaye ngono": (SKINS[3:], HAIRS[:3]),
    "sharma fernando chatterjee chowdhury kusuma": (SKINS[2:4], HAIRS[:3]),
    "mansouri farouk naguib arslan": (SKINS[1:3], HAIRS[:3]),
    "ochoa salinas escobar cardenas montero rivadeneira benitez lozano ortega navarro": (
        SKINS[1:3],
        HAIRS[:4],
    ),
    "lin lim seo shin": (SKINS[:2], HAIRS[2:3]),
    "": (SKINS[:2], (*HAIRS, "#c8a063", "#9a5a34")),
}
# Whose first draw was too like another's: which draw is theirs.
THEIRS = """
do-yun-seo:2 friederike-kessler:1 jakub-dudek:3 kai-lin:1 matias-ochoa:1 matthias-grunewald:1 matthias-sauer:1
rupert-lockwood:1 tarek-mansouri:3 zhi-lim:12
"""
DRAWS = dict(pair.split(":") for pair in THEIRS.split())


def look(name: str) -> tuple[str, str, str, str, str, bool, bool]:
    """Ground, skin, hair, clothes, hair's style, glasses and beard: of a founder's slug as it is named."""
    rng = Random(f"face:{name}:{DRAWS[name]}" if name in DRAWS else f"face:{name}")
    given, _, family = name.partition("-")
    skins, hairs = next(
        (of for names, of in FAMILIES.items() if family.split("-")[-1] in names.split()), FAMILIES[""]
    )
    is_man = bool(family) and given not in WOMEN.split()
    styles = (STYLES[:3] if is_man else STYLES[3:]) if family else STYLES
    if not family:
        skins, hairs = SKINS, HAIRS
    ground, skin, hair, cloth = (rng.choice(some) for some in (GROUNDS, skins, hairs, CLOTHES))
    style, has_glasses = rng.choice(styles), rng.random() < 0.3
    return ground, skin, hair, cloth, style, has_glasses, is_man and rng.random() < 0.35


def face(name: str) -> Canvas:
    ground, skin, hair, cloth, style, has_glasses, has_beard = look(name)
    canvas = Canvas(SIDE, SIDE, ground=ground)
    _behind(canvas, style, hair)
    canvas.rect((28, 176, 184, 120), cloth, 64)
    canvas.oval((88, 148, 64, 58), mix(cloth, WHITE, 0.75))
    canvas.rect((98, 140, 44, 52), mix(skin, BLACK, 0.16), 22)
    for x in (68, 154):
        canvas.oval((x, 98, 18, 28), skin)
    canvas.oval((76, 44, 88, 126), skin)
    if has_beard:
        canvas.oval((76, 84, 88, 88), hair, start=0, end=180)
        canvas.oval((84, 92, 72, 52), skin, start=0, end=180)
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
