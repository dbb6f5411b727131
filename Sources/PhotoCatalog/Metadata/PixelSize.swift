/// The width and height of a picture as stored.
struct PixelSize: Equatable {
    /// The range of plausible widths and heights.
    private static let possible = 1...1_000_000

    let width: Int32
    let height: Int32

    /// Returns `nil` if width or height is unknown or implausible.
    init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, Self.possible.contains(width), Self.possible.contains(height) else { return nil }
        self.width = Int32(width)
        self.height = Int32(height)
    }

    var area: Int64 { Int64(width) * Int64(height) }
}
