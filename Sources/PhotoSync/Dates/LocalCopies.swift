import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// Files of this device with contents known from journals, to be read instead of stored objects.
struct LocalCopies: Sendable {
    private let folders: [(root: String, journal: BackupJournal)]

    static let none = LocalCopies(folders: [])

    /// Loads the journals of some folders.
    /// - Throws: If one of the folders cannot be used.
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

    /// Reads the metadata of a local file at the same path that is unchanged since its content was read. Returns `nil`
    /// if there is none, or it cannot be read.
    func reading(of entry: CatalogEntry) async -> MediaReading? {
        for (root, journal) in folders {
            let path = "\(root)/\(entry.path)"
            let found = try? await FileWork.run { () throws(FileError) -> MediaReading? in
                let file = try OpenFile(path)
                let fingerprint = try file.fingerprint()
                guard let known = journal.unchanged(entry.path, fingerprint), known.md5 == entry.md5 else { return nil }
                let count = Int(min(fingerprint.size, Int64(FileInspection.pieceLength)))
                let bytes = MediaBytes(head: try file.read(from: 0, count: count), size: fingerprint.size) {
                    try? file.read(from: $0, count: $1)
                }
                let reading = MediaReading(bytes, type: entry.type)
                return try file.fingerprint() == fingerprint ? reading : nil
            }
            if let found { return found }
        }
        return nil
    }
}
