/// Width and height of a picture as it is stored.
struct PixelSize: Equatable {
    /// No picture is wider or higher than this.
    private static let possible = 1...1_000_000

    let width: Int32
    let height: Int32

    /// `nil` when one of them is unknown or no picture can be so large.
    init?(_ width: Int?, _ height: Int?) {
        guard let width, let height, Self.possible.contains(width), Self.possible.contains(height) else { return nil }
        self.width = Int32(width)
        self.height = Int32(height)
    }

    var area: Int64 { Int64(width) * Int64(height) }
}
