/// One of the eight orientations of a picture: quarter turns and mirrorings, as a matrix of 0, 1 and -1 that maps a
/// point (x to the right, y down) from its stored to its displayed position.
struct Orientation: Equatable {
    let (xx, xy, yx, yy): (Int, Int, Int, Int)

    /// - Parameters: x becomes `xx`·x + `yx`·y, and y becomes `xy`·x + `yy`·y, as in QuickTime's matrix.
    init(xx: Int, xy: Int, yx: Int, yy: Int) { (self.xx, self.xy, self.yx, self.yy) = (xx, xy, yx, yy) }

    static let upright = Orientation(xx: 1, xy: 0, yx: 0, yy: 1)
    static let turnedLeft = Orientation(xx: 0, xy: -1, yx: 1, yy: 0)
    /// Left and right exchanged.
    static let mirrored = Orientation(xx: -1, xy: 0, yx: 0, yy: 1)
    /// Top and bottom exchanged.
    static let flipped = Orientation(xx: 1, xy: 0, yx: 0, yy: -1)

    /// Returns the combination of this orientation with one that is applied after it.
    func then(_ next: Orientation) -> Orientation {
        Orientation(
            xx: xx * next.xx + xy * next.yx, xy: xx * next.xy + xy * next.yy,
            yx: yx * next.xx + yy * next.yx, yy: yx * next.xy + yy * next.yy
        )
    }

    /// The EXIF orientation (Exif 2.32 section 4.6.4); `nil` for a matrix that is not one of the eight.
    var exif: UInt8? {
        switch (xx, xy, yx, yy) {
        case (1, 0, 0, 1): 1
        case (-1, 0, 0, 1): 2
        case (-1, 0, 0, -1): 3
        case (1, 0, 0, -1): 4
        case (0, 1, 1, 0): 5
        case (0, 1, -1, 0): 6
        case (0, -1, -1, 0): 7
        case (0, -1, 1, 0): 8
        default: nil
        }
    }
}
