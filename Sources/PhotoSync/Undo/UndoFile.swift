import Foundation
import NIOCore
import PhotoCatalog
import PhotolalaAPI

/// The file with the last change that this device made to a user's trash: a line of JSON, then the committed records in
/// the form of a catalog.
package struct UndoFile: TrashChangeRecorder {
    private struct Header: Codable {
        let format: Int
        let user: UserID
        let command: TrashChange.Command
        let recordedAt: Date
        /// The MD5 of the records' bytes.
        let records: String
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

    /// Replaces the recorded change; if that is not possible, removes it.
    package func record(_ change: TrashChange) async -> TrashRecording {
        let (folder, path, bytes) = (folder, path, encoded(change))
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

    /// Returns the recorded change with the time at which it was recorded; `nil` if there is none.
    package func read() async throws(UndoFileError) -> (change: TrashChange, date: Date)? {
        let path = path
        let bytes: ByteBuffer
        do throws(FileError) {
            bytes = try await FileWork.run { () throws(FileError) in try StateFile.read(path) }
        } catch {
            if error == .missing { return nil }
            throw .unreadable(error)
        }
        guard let decoded = decoded(bytes) else { throw .damaged }
        return decoded
    }

    /// Removes the recorded change.
    /// - Returns: Whether none is recorded now.
    package func remove() async -> Bool {
        let path = path
        return (try? await FileWork.runUncancelled { StateFile.removeIfPresent(path) }) ?? false
    }

    private func encoded(_ change: TrashChange) -> ByteBuffer {
        var records = CatalogCSV.encode(change.records)
        let header = Header(
            format: Self.format, user: user, command: change.command, recordedAt: now(),
            records: ContentDigest(of: records).description)
        // A header of numbers, texts and a date cannot fail to be encoded.
        var bytes = ByteBuffer(bytes: (try? WireJSON.encoder().encode(header)) ?? Data())
        bytes.writeString("\n")
        bytes.writeBuffer(&records)
        return bytes
    }

    private func decoded(_ bytes: ByteBuffer) -> (change: TrashChange, date: Date)? {
        var records = bytes
        guard let end = bytes.readableBytesView.prefix(Self.headerLimit).firstIndex(of: UInt8(ascii: "\n")),
            let text = records.readBytes(length: end - bytes.readerIndex), records.readInteger(as: UInt8.self) != nil,
            let header = try? WireJSON.decoder().decode(Header.self, from: Data(text)), header.format == Self.format,
            header.user == user, ContentDigest(of: records).description == header.records,
            let file = try? CatalogCSV.decode(records)
        else { return nil }
        return (TrashChange(header.command, file.rows), header.recordedAt)
    }
}

/// The reason why a recorded change cannot be read.
package enum UndoFileError: Error, Equatable, Sendable {
    /// The file is damaged, of another user or of a newer version.
    case damaged
    case unreadable(FileError)
}
