import NIOCore
import PhotoCatalog

/// The catalog state that a folder's journal was last compared with. If the catalog has another generation or a lower
/// counter, entries that the journal records as committed may have been lost, and the catalog itself is loaded.
struct JournalBaseline: Sendable {
    struct Position: Sendable, Equatable {
        /// The generation of snapshots.
        let generation: ContentDigest
        /// The largest counter of the snapshot. It never decreases, unless an older snapshot is restored.
        let counter: UInt64
        /// The day, counted from 1970, on which the whole journal was compared with the catalog.
        let day: Int

        /// After this many days the whole journal is compared again: devices that continue from a restored catalog
        /// eventually count past the lost changes.
        private static let validDays = 30

        /// Returns whether a catalog contains everything that the journal records as committed.
        func isValid(for head: CatalogHead, today: Int) -> Bool {
            generation == head.generation && counter <= head.file.highestCounter
                && (0..<Self.validDays).contains(today - day)
        }
    }

    private let file: String

    init(journalFile: String) { file = "\(journalFile).origin" }

    /// Returns the recorded state; `nil` if there is none.
    func load() async -> Position? {
        let file = file
        let text = try? await FileWork.run { () throws(FileError) in String(buffer: try StateFile.read(file)) }
        let parts = (text ?? "").split(separator: " ")
        guard parts.count == 3, let generation = ContentDigest(parts[0]), let counter = UInt64(parts[1]),
            let day = Int32(parts[2])
        else { return nil }
        return Position(generation: generation, counter: counter, day: Int(day))
    }

    /// Stores the state, unless another process has changed or removed it.
    /// - Parameter last: The state that this process has last read or written.
    /// - Returns: The state to pass as `last` the next time.
    func save(_ known: Position, after last: Position?) async -> Position? {
        guard known != last, await self.load() == last else { return last }
        let (file, text) = (file, "\(known.generation) \(known.counter) \(known.day)")
        do {
            try await FileWork.run { () throws(FileError) in
                try StateFile.replace(file, with: ByteBuffer(string: text))
            }
            return known
        } catch {
            return last
        }
    }

    /// Removes the stored state. Synchronous, because the process may be killed right after the next step.
    func clear() { StateFile.remove(file) }
}
