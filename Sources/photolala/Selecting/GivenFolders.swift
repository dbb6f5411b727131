import Foundation
import PhotolalaClient

/// A folder that was given and cannot be used, while others can.
struct UnusableFolder: Codable, Equatable {
    let folder: String
    let reason: String

    var text: String { "\(Terminal.harmless(folder)): NOT done. \(Terminal.harmless(reason))" }
}

/// The folders of a command that takes several.
enum GivenFolders {
    /// Those that do not exist, also reported at once on standard error: the others may take hours.
    /// - Parameter nothingDone: a sentence for the case that there is no other.
    /// - Throws: `folder_unusable` when none exists.
    static func missing(
        of folders: [String], nothingDone: String, isJSON: Bool
    ) throws(CommandFailure) -> [UnusableFolder] {
        let missing = folders.filter { folder in
            var isFolder: ObjCBool = false
            return !(FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder) && isFolder.boolValue)
        }
        if let first = missing.first, missing.count == folders.count {
            throw CommandFailure("There is no folder \(first). \(nothingDone)", code: .folderUnusable)
        }
        if !isJSON {
            for folder in missing {
                Terminal.note("photolala: There is no folder \(Terminal.harmless(folder)). Continuing with the others.")
            }
        }
        return missing.map { UnusableFolder(folder: $0, reason: "There is no such folder.") }
    }
}
