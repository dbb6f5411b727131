import Foundation
import NIOCore
import PhotolalaAPI

/// The state of a library migration on this device: what was begun, and whether it is complete. Blocks.
package struct LibraryMigrationState: Codable, Equatable, Sendable {
    package let folders: [String]
    /// The selection in a format defined by the caller; `nil` if everything was selected.
    package let selection: Data?
    package let startedAt: Date
    package var completedAt: Date?

    package init(folders: [String], selection: Data?, startedAt: Date) {
        self.folders = folders
        self.selection = selection
        self.startedAt = startedAt
    }

    /// Loads the state for an account; returns `nil` if there is none.
    /// - Throws: `unreadable` if it was written by another version or is damaged, so that the selection is unknown.
    package static func load(in stateFolder: String, user: UserID) throws(LibraryMigrationStateError)
        -> LibraryMigrationState?
    {
        let bytes: ByteBuffer
        do throws(FileError) {
            bytes = try StateFile.read(path(in: stateFolder, user))
        } catch .missing {
            return nil
        } catch { throw .file(error) }
        do {
            return try WireJSON.decoder().decode(LibraryMigrationState.self, from: Data(bytes.readableBytesView))
        } catch { throw .unreadable }
    }

    package func save(in stateFolder: String, user: UserID) throws(FileError) {
        try LocalFolder.create(stateFolder)
        guard let bytes = try? WireJSON.encoder().encode(self) else { throw .unsupported }
        try StateFile.replace(Self.path(in: stateFolder, user), with: ByteBuffer(bytes: bytes))
    }

    private static func path(in stateFolder: String, _ user: UserID) -> String {
        "\(stateFolder)/migration-\(user).json"
    }
}

/// The reason why the state of a migration cannot be loaded.
package enum LibraryMigrationStateError: Error, Equatable, Sendable {
    case file(FileError)
    /// The stored state is not in a format that this version knows.
    case unreadable
}
