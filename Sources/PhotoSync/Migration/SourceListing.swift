import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI

extension LocalScan {
    /// Lists a source for a migration, without reading a resource: photos in iCloud are not downloaded to count them. A
    /// resource that no backup has read counts as a content of its own, with the date of its asset and, if the source
    /// does not know its size, without bytes.
    package static func list(
        _ source: any AssetSource, user: UserID, stateFolder: String
    ) async throws(BackupError) -> LocalScan {
        let opened: (files: AssetFiles, journal: BackupJournal)
        do {
            opened = try await FileWork.run { () throws(FileError) in
                let opened = AssetFiles.open(source, user: user, stateFolder: stateFolder, zone: nil, isReadOnly: true)
                return (opened.files, opened.journal)
            }
        } catch { throw BackupError(error) }
        let found = try await opened.files.allFiles()
        var scan = LocalScan(folder: source.id, found: found)
        scan.photos = found.files.map { file in
            if let known = opened.journal.unchanged(file.path, file.fingerprint) {
                return CatalogEntry(
                    path: file.path, md5: known.md5, size: known.fingerprint.size, modified: file.fingerprint.modified,
                    type: known.type, media: known.facts)
            }
            let taken = opened.files.unreadDate(of: file.path).flatMap { CaptureDate($0) }
            return CatalogEntry(
                path: file.path, md5: ContentDigest(of: ByteBuffer(string: "unread \(file.path)")),
                size: file.knownSize, modified: file.fingerprint.modified, type: file.type,
                media: MediaFacts(taken: taken))
        }
        return scan
    }
}
