import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// The file with the last change that this device made to a user's trash, and the one before it until the last one is
/// known to be committed: a line of JSON, then the records of each change in the form of a catalog.
package struct UndoFile: TrashChangeRecorder {
    /// A recorded change.
    package struct Change: Sendable, Equatable {
        package let change: TrashChange
        /// When it was recorded, by this device's clock.
        package let date: Date
    }

    private struct Header: Codable {
        struct Change: Codable {
            let command: TrashChange.Command
            let recordedAt: Date
            /// The length of the records, in bytes.
            let length: Int
            /// The MD5 of the records' bytes.
            let records: String
        }

        let format: Int
        let user: UserID
        /// The newest first.
        let changes: [Change]
    }

    private static let format = 1
    /// The longest header that is read, in bytes.
    private static let headerLimit = 4096

    private let user: UserID
    private let folder: String
    private let now: @Sendable () -> Date

    /// - Parameter stateFolder: The folder in which this device stores its state; created if it does not exist.
    package init(stateFolder: String, user: UserID, now: @escaping @Sendable () -> Date) {
        (folder, self.user, self.now) = (stateFolder, user, now)
    }

    var path: String { "\(folder)/undo-\(user)" }

    /// Records a change, and keeps the last one that is committed; if that is not possible, removes all.
    package func record(_ change: TrashChange, onto catalog: Catalog) async -> TrashRecording {
        let before = (try? await read()) ?? []
        let last = TrashChange.firstCommitted(of: before.map(\.change), in: catalog).map { before[$0] }
        let bytes = encoded([Change(change: change, date: now())] + (last.map { [$0] } ?? []))
        let (folder, path) = (folder, path)
        do throws(FileError) {
            try await FileWork.runUncancelled { () throws(FileError) in
                try LocalFolder.create(folder)
                try StateFile.replace(path, with: bytes)
            }
            return .recorded
        } catch {
            return await remove() ? .notRecorded : .outdated
        }
    }

    /// Returns the recorded changes, newest first. All but the first one matter only if those before are not committed.
    package func read() async throws(UndoFileError) -> [Change] {
        let path = path
        let bytes: ByteBuffer
        do throws(FileError) {
            bytes = try await FileWork.runUncancelled { () throws(FileError) in try StateFile.read(path) }
        } catch {
            if error == .missing { return [] }
            throw .unreadable(error)
        }
        guard let decoded = decoded(bytes) else { throw .damaged }
        return decoded
    }

    /// Removes the recorded changes.
    /// - Returns: Whether none is recorded now.
    package func remove() async -> Bool {
        let path = path
        return (try? await FileWork.runUncancelled { StateFile.removeIfPresent(path) }) ?? false
    }

    private func encoded(_ changes: [Change]) -> ByteBuffer {
        let records = changes.map { CatalogCSV.encode($0.change.records) }
        let header = Header(
            format: Self.format, user: user,
            changes: zip(changes, records).map { change, records in
                Header.Change(
                    command: change.change.command, recordedAt: change.date, length: records.readableBytes,
                    records: ContentDigest(of: records).description)
            })
        // A header of numbers, texts and dates cannot fail to be encoded.
        var bytes = ByteBuffer(bytes: (try? WireJSON.encoder().encode(header)) ?? Data())
        bytes.writeString("\n")
        for records in records { bytes.writeImmutableBuffer(records) }
        return bytes
    }

    private func decoded(_ bytes: ByteBuffer) -> [Change]? {
        var rest = bytes
        guard let end = bytes.readableBytesView.prefix(Self.headerLimit).firstIndex(of: UInt8(ascii: "\n")),
            let text = rest.readBytes(length: end - bytes.readerIndex), rest.readInteger(as: UInt8.self) != nil,
            let header = try? WireJSON.decoder().decode(Header.self, from: Data(text)), header.format == Self.format,
            header.user == user
        else { return nil }
        var changes: [Change] = []
        for change in header.changes {
            guard change.length >= 0, let records = rest.readSlice(length: change.length),
                ContentDigest(of: records).description == change.records, let file = try? CatalogCSV.decode(records)
            else { return nil }
            changes.append(Change(change: TrashChange(change.command, file.rows), date: change.recordedAt))
        }
        return rest.readableBytes == 0 && !changes.isEmpty ? changes : nil
    }
}

/// The reason why a recorded change cannot be read.
package enum UndoFileError: Error, Equatable, Sendable {
    /// The file is damaged, of another user or of a newer version.
    case damaged
    case unreadable(FileError)
}
