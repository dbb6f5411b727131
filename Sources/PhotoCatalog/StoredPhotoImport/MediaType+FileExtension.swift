extension MediaType {
    /// The type of files whose format is unknown.
    package static let unknown = MediaType(known: "application/octet-stream")

    /// The file name extension for this type, without the dot.
    package var fileExtension: String { Self.fileExtensions[self] ?? "dat" }

    private static let fileExtensions = Dictionary(
        uniqueKeysWithValues: FileExtensions.usual.map { ($0.type, $0.ending) })
}
