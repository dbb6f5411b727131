import NIOCore

/// The catalog that a folder's journal was last held against. In another line of snapshots, or one that is older than
/// that was, what the journal says is in the catalog may have been lost, and the catalog itself is asked.
struct CatalogOrigin: Sendable {
    struct Known: Sendable, Equatable {
        /// The line of snapshots.
        let line: ContentDigest
        /// The largest counter of the snapshot. It never falls, unless somebody puts an older one back.
        let counter: UInt64
        /// The day, counted from 1970, on which all of the journal was held against the catalog.
        let day: Int

        /// After this many days all of it is looked at again, for who goes on from a catalog that was put back counts
        /// past what was lost.
        private static let days = 30

        /// Whether a catalog has all that the journal says was seen there.
        func holds(for head: CatalogHead, today: Int) -> Bool {
            line == head.origin && counter <= head.file.highestCounter && (0..<Self.days).contains(today - day)
        }
    }

    private let file: String

    init(journalFile: String) { file = "\(journalFile).origin" }

    /// `nil` where nothing is known, or not any more.
    func known() async -> Known? {
        let file = file
        let text = try? await FileWork.run { () throws(FileError) in String(buffer: try StateFile.read(file)) }
        let words = (text ?? "").split(separator: " ")
        guard words.count == 3, let line = ContentDigest(words[0]), let counter = UInt64(words[1]),
            let day = Int32(words[2])
        else { return nil }
        return Known(line: line, counter: counter, day: Int(day))
    }

    /// Remembers what is known now, unless another process has written or forgotten something meanwhile.
    /// - Parameter last: what this process has read or written last.
    /// - Returns: what is to be told as such the next time.
    func remember(_ known: Known, after last: Known?) async -> Known? {
        guard known != last, await self.known() == last else { return last }
        let (file, text) = (file, "\(known.line) \(known.counter) \(known.day)")
        do {
            try await FileWork.run { () throws(FileError) in
                try StateFile.replace(file, with: ByteBuffer(string: text))
            }
            return known
        } catch {
            return last
        }
    }

    /// Done at once: what comes after it may be all that is left of this process.
    func forget() { StateFile.remove(file) }
}
