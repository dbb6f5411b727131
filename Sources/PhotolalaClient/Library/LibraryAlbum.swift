/// A collection of photos with a name. A photo can be in any number of albums, and belongs to them at all its paths.
public struct LibraryAlbum: Sendable, Codable, Equatable, Identifiable {
    /// The permanent ID, 16 hex digits.
    public let id: String
    /// The name, 1 to 256 bytes of UTF-8.
    public let name: String
    /// The number of its photos that are in the library and not in the trash.
    public let photos: Int
    /// The MD5 of the photo that was chosen as cover, as 32 lower-case hex digits; `nil` for the newest photo.
    public let cover: String?
}
