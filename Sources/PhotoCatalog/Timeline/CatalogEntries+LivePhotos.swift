extension CatalogEntries {
    /// The largest number of seconds between the capture dates of the two halves of a Live Photo.
    private static let largestSpan: Int64 = 5
    /// The largest number of files with one name that are compared.
    private static let mostFiles = 16

    /// Returns the video of a Live Photo: a file with the picture's name in its folder, unless both capture dates are
    /// known and differ by more than some seconds. The entries must be sorted by path, as a library's are. Reads a
    /// number of paths that is logarithmic in the size of the library.
    package func liveVideo(of picture: CatalogEntry) -> CatalogEntry? {
        let path = picture.path.description
        let kinds: [MediaType] = [.jpeg, .heic, .heif]
        guard kinds.contains(picture.type), let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let start = Array(path.utf8[...dot])
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if withPath(middle, { $0.lexicographicallyPrecedes(start) }) { low = middle + 1 } else { high = middle }
        }
        for index in low..<Swift.min(low + Self.mostFiles, count) {
            guard withPath(index, { $0.starts(with: start) }) else { return nil }
            let entry = self[index]
            let ending = entry.path.description.utf8.dropFirst(start.count)
            let isVideo = entry.type == .quickTime || entry.type == .mp4
            if isVideo, !ending.contains(where: { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "/") }),
                Self.isOneMoment(picture.taken, entry.taken)
            {
                return entry
            }
        }
        return nil
    }

    /// Returns whether two dates can be of one moment. Their local times are compared, too: one of the offsets may be
    /// unknown.
    private static func isOneMoment(_ first: CaptureDate?, _ second: CaptureDate?) -> Bool {
        guard let first, let second else { return true }
        let spans = [first.moment.seconds - second.moment.seconds, first.clock.seconds - second.clock.seconds]
        return spans.contains { abs($0) <= largestSpan }
    }
}
