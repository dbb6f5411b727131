import PhotoCatalog

/// A color in sRGB that is shown in place of a picture until it has loaded: the average of its pixels. It is encoded as six
/// lower-case hex digits, such as `a1b2c3`.
public struct PlaceholderColor: Sendable, Hashable {
    /// The red component.
    public let red: UInt8
    /// The green component.
    public let green: UInt8
    /// The blue component.
    public let blue: UInt8

    /// Creates a color.
    public init(red: UInt8, green: UInt8, blue: UInt8) { (self.red, self.green, self.blue) = (red, green, blue) }

    init(_ color: PictureColor) { self.init(red: color.red, green: color.green, blue: color.blue) }

    var pictureColor: PictureColor { PictureColor(red: red, green: green, blue: blue) }
}

extension PlaceholderColor: Codable {
    /// Decodes six lower-case hex digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let color = PictureColor(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "six lower-case hex digits expected")
        }
        self.init(color)
    }

    /// Encodes six lower-case hex digits. Black is `000001`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(pictureColor.description)
    }
}
