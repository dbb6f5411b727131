import Foundation
import PhotolalaClient

/// A given folder that cannot be used, while others can.
struct UnusableFolder: Codable, Equatable {
    let folder: String
    let reason: String

    var text: String { "\(Terminal.sanitized(folder)): skipped. \(Terminal.sanitized(reason))" }
}

/// Checks the folders of a command that accepts several.
enum FolderArguments {
    /// Returns the missing folders and reports them on standard error immediately, because processing the others may
    /// take hours.
    /// - Parameter nothingDone: A sentence for the error if all folders are missing.
    /// - Throws: `folder_unusable` if all folders are missing.
    static func missing(
        of folders: [String], nothingDone: String, isJSON: Bool
    ) throws(CommandFailure) -> [UnusableFolder] {
        let missing = folders.filter { folder in
            var isFolder: ObjCBool = false
            return !(FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue)
        }
        if let first = missing.first, missing.count == folders.count {
            throw CommandFailure("No such folder: \(first). \(nothingDone)", code: .folderUnusable)
        }
        if !isJSON {
            for folder in missing {
                Terminal.writeNotice(
                    "warning: no such folder: \(Terminal.sanitized(folder)). Continuing with the others.")
            }
        }
        return missing.map { UnusableFolder(folder: $0, reason: "No such folder.") }
    }
}
