/** How colours look to people without some cones, and how far apart two colours are. */

export type Lab = readonly [number, number, number]

/** Matrices over linear sRGB at severity 1: Machado, Oliveira & Fernandes 2009, table 1. */
export const SIGHTS = {
  "full colour vision": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} as const

/** A colour as `#rrggbb`, as somebody sees it: CIELAB under D65. */
export function seenBy(sight: keyof typeof SIGHTS, color: string): Lab {
  const linear = [1, 3, 5].map((at): number => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  const [r, g, b] = SIGHTS[sight].map((row) =>
    Math.min(1, Math.max(0, row[0] * linear[0]! + row[1] * linear[1]! + row[2] * linear[2]!)),
  ) as [number, number, number]
  const f = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : ((24389 / 27) * t + 16) / 116)
  const x = f((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / 0.95047)
  const y = f(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = f((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const degrees = (angle: number) => (angle * 180) / Math.PI
const radians = (angle: number) => (angle * Math.PI) / 180

/** CIEDE2000 after Sharma, Wu & Dalal 2005. One is about what can just be noticed. */
export function differenceBetween([l1, a1, b1]: Lab, [l2, a2, b2]: Lab): number {
  const mean = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2
  const g = 0.5 * (1 - Math.sqrt(mean ** 7 / (mean ** 7 + 25 ** 7)))
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)]
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)]
  const hue = (x: number, b: number) => (x === 0 && b === 0 ? 0 : (degrees(Math.atan2(b, x)) + 360) % 360)
  const [h1, h2] = [hue(x1, b1), hue(x2, b2)]
  const grey = c1 * c2 === 0
  const turn = grey ? 0 : ((((h2 - h1 + 180) % 360) + 360) % 360) - 180
  const [dl, dc, dh] = [l2 - l1, c2 - c1, 2 * Math.sqrt(c1 * c2) * Math.sin(radians(turn / 2))]
  const [l, c] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const far = Math.abs(h1 - h2) > 180
  const h = grey ? h1 + h2 : far ? (h1 + h2 + (h1 + h2 < 360 ? 360 : -360)) / 2 : (h1 + h2) / 2
  const cos = (angle: number) => Math.cos(radians(angle))
  const t = 1 - 0.17 * cos(h - 30) + 0.24 * cos(2 * h) + 0.32 * cos(3 * h + 6) - 0.2 * cos(4 * h - 63)
  const sl = 1 + (0.015 * (l - 50) ** 2) / Math.sqrt(20 + (l - 50) ** 2)
  const [sc, sh] = [1 + 0.045 * c, 1 + 0.015 * c * t]
  const rc = 2 * Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7))
  const rt = -Math.sin(radians(60 * Math.exp(-(((h - 275) / 25) ** 2)))) * rc
  return Math.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh))
}
