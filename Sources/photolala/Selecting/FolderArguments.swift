import Foundation
import PhotolalaClient

/// A given folder, or a listed file, that cannot be used, while others can.
struct UnusableFolder: Codable, Equatable {
    let folder: String
    let code: FailureCode
    let reason: String

    init(folder: String, code: FailureCode, reason: String) {
        (self.folder, self.code, self.reason) = (folder, code, reason)
    }

    init(folder: String, _ error: PhotolalaError) {
        self.init(folder: folder, code: error.cause?.code ?? .folderUnusable, reason: error.detail)
    }

    var text: String { "\(Terminal.sanitized(folder)): skipped. \(Terminal.sanitized(reason))" }
}

/// Checks the folders of a command that accepts several.
enum FolderArguments {
    /// Returns the missing folders and reports them on standard error immediately, because processing the others may
    /// take hours.
    /// - Parameters:
    ///   - allowsFiles: Whether files are accepted too.
    ///   - nothingDone: A sentence for the error if all folders are missing.
    /// - Throws: `folder_unusable` if all folders are missing.
    static func missing(
        of folders: [String], allowsFiles: Bool = false, nothingDone: String, isJSON: Bool
    ) throws(CommandFailure) -> [UnusableFolder] {
        let missing = folders.compactMap { folder in
            problem(of: folder, allowsFiles: allowsFiles).map { (folder: folder, code: $0.code, problem: $0.text) }
        }
        if let first = missing.first, missing.count == folders.count {
            throw CommandFailure("\(first.problem): \(first.folder). \(nothingDone)", code: .folderUnusable)
        }
        if !isJSON {
            for (folder, _, problem) in missing {
                let folder = Terminal.sanitized(folder)
                Terminal.writeNotice("warning: \(problem.lowercased()): \(folder). Continuing with the others.")
            }
        }
        return missing.map { UnusableFolder(folder: $0.folder, code: $0.code, reason: "\($0.problem).") }
    }

    private static func problem(of path: String, allowsFiles: Bool) -> (code: FailureCode, text: String)? {
        switch LocalPath.kind(of: path) {
        case .folder: nil
        case .file: allowsFiles ? nil : (.wrongFileType, "Not a folder")
        case nil: allowsFiles ? (.fileMissing, "No such file or folder") : (.noSuchFolder, "No such folder")
        }
    }
}
