extension MediaType {
    /// The type of files whose format is unknown.
    static let unknown = MediaType(known: "application/octet-stream")

    /// The file name extension for this type, without the dot.
    var fileEnding: String { Self.endings[self] ?? "dat" }

    private static let endings = Dictionary(uniqueKeysWithValues: MediaEndings.usual.map { ($0.type, $0.ending) })
}
