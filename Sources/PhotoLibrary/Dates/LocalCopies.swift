import NIOCore
import PhotolalaAPI

/// Files of this device whose contents it remembers, to be read in the place of stored ones.
struct LocalCopies: Sendable {
    private let folders: [(root: String, journal: BackupJournal)]

    /// Opens what the device remembers of some folders.
    /// - Throws: when one of them cannot be used.
    static func open(
        _ folders: [String], of user: UserID, stateFolder: String
    ) async throws(DateRefreshError) -> LocalCopies {
        var opened: [(root: String, journal: BackupJournal)] = []
        for folder in folders {
            do throws(FileError) {
                opened.append(
                    try await FileWork.run { () throws(FileError) in
                        let root = try LocalFolder.resolve(folder)
                        let own = BackupJournal.load(BackupJournal.path(in: stateFolder, user: user, root: root))
                        guard own.isEmpty else { return (root, own) }
                        return (root, .load(BackupJournal.path(in: stateFolder, user: nil, root: root)))
                    })
            } catch { throw error == .cancelled ? .cancelled : .folder(folder, error) }
        }
        return LocalCopies(folders: opened)
    }

    /// What a copy says of itself: a file at the same path that was not touched since its content was read. `nil` where
    /// there is none, or it cannot be read.
    func reading(of entry: CatalogEntry) async -> MediaReading? {
        for (root, journal) in folders {
            let place = "\(root)/\(entry.path)"
            let found = try? await FileWork.run { () throws(FileError) -> MediaReading? in
                let file = try OpenFile(place)
                let stamp = try file.stamp()
                guard let known = journal.unchanged(entry.path, stamp), known.md5 == entry.md5 else { return nil }
                let count = Int(min(stamp.size, Int64(FileInspection.pieceLength)))
                let bytes = MediaBytes(head: try file.read(from: 0, count: count), size: stamp.size) {
                    try? file.read(from: $0, count: $1)
                }
                let reading = MediaReading(bytes, type: entry.type)
                return try file.stamp() == stamp ? reading : nil
            }
            if let found { return found }
        }
        return nil
    }
}
