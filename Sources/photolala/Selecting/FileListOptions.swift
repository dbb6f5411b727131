import ArgumentParser
import Foundation
import PhotolalaClient

/// The list of the only files to back up.
struct FileListOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Back up only the files that this file lists, one path in the folder per line; - for standard input.",
            valueName: "file"), completion: .file())
    var filesFrom: String?

    @Flag(help: "With --files-from: paths end with a NUL byte, as from find -print0.")
    var null = false

    /// The maximum length of a list, in bytes.
    private static let limit = 64 << 20

    func validate() throws {
        try TextChecks.check(filesFrom, of: "--files-from", expects: "a file")
        if null, filesFrom == nil { throw ValidationError("--null requires --files-from.") }
    }

    /// Returns the paths in a folder; `nil` if no list was given. The folder itself, which `find` lists, is left out.
    /// - Parameter unusable: Receives the listed paths that no photo of a library can have.
    func paths(in folder: String, unusable: inout [UnusableFolder]) throws -> [String]? {
        guard let filesFrom else { return nil }
        let list = try InputFile.bytes(of: filesFrom, limit: Self.limit, content: "the list of files")
        guard list.count <= Self.limit else {
            throw CommandFailure("\(InputFile.name(filesFrom)) is longer than 64 MiB. Use several lists.")
        }
        var paths: [String] = []
        for line in list.split(separator: null ? 0 : UInt8(ascii: "\n")) {
            guard let text = LocalPath.text(of: Array(line)) else {
                unusable.append(
                    UnusableFolder(
                        folder: String(decoding: line, as: UTF8.self), code: .reservedName,
                        reason: "Its name starts with %% like an encoded one. Rename the file."))
                continue
            }
            guard let path = Self.path(text, in: folder) else {
                throw CommandFailure(
                    "\(InputFile.name(filesFrom)) lists \(Terminal.sanitized(text)), which is not in \(folder).")
            }
            if !path.isEmpty { paths.append(path) }
        }
        return paths
    }

    /// Returns a path without the folder, empty segments and `.`, which programs such as `find` print; `nil` for an
    /// absolute path outside of the folder.
    private static func path(_ text: String, in folder: String) -> String? {
        let all = names(text)
        guard text.hasPrefix("/") else { return all.joined(separator: "/") }
        let folders = [folder, LocalPath.resolved(folder) ?? ""].filter { $0.hasPrefix("/") }.map(names)
        return folders.first(where: all.starts).map { all.dropFirst($0.count).joined(separator: "/") }
    }

    private static func names(_ path: String) -> [Substring] { path.split(separator: "/").filter { $0 != "." } }
}
