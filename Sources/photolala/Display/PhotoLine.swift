import PhotolalaClient

/// Formats one photo of a list.
enum PhotoLine {
    static func text(_ photo: LibraryPhoto) -> String {
        let date = (photo.taken ?? photo.modified).prefix(10)
        return "\(date)  \(ByteText.text(photo.size))\t\(Terminal.sanitized(photo.path))"
    }
}
