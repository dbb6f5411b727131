import Foundation
import NIOCore
import PhotolalaAPI

/// What a device remembers of bringing its folders to an account: what was begun, and whether it came to its end. Blocks.
package struct MigrationMark: Codable, Equatable, Sendable {
    package let folders: [String]
    /// What was chosen, in the words of whoever chose; nothing when it was everything.
    package let selection: Data?
    package let startedAt: Date
    package var completedAt: Date?

    package init(folders: [String], selection: Data?, startedAt: Date) {
        self.folders = folders
        self.selection = selection
        self.startedAt = startedAt
    }

    /// What is remembered for an account; `nil` where there is nothing.
    /// - Throws: `unreadable` for what another version wrote or something damaged: nobody knows what was chosen.
    package static func load(in stateFolder: String, user: UserID) throws(MigrationMarkError) -> MigrationMark? {
        let bytes: ByteBuffer
        do throws(FileError) {
            bytes = try StateFile.read(path(in: stateFolder, user))
        } catch .missing {
            return nil
        } catch { throw .file(error) }
        do {
            return try WireJSON.decoder().decode(MigrationMark.self, from: Data(bytes.readableBytesView))
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

/// Why it cannot be told what migration was begun.
package enum MigrationMarkError: Error, Equatable, Sendable {
    case file(FileError)
    /// What is remembered is not in a form that this version knows.
    case unreadable
}
