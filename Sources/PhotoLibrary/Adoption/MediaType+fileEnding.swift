extension MediaType {
    /// What nothing is known of.
    static let unknown = MediaType(known: "application/octet-stream")

    /// How names of files of this kind end, without the point.
    var fileEnding: String { Self.endings[self] ?? "dat" }

    private static let endings = Dictionary(uniqueKeysWithValues: MediaEndings.usual.map { ($0.type, $0.ending) })
}
