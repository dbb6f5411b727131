import Foundation

/// The path of this program for other programs, which start it later.
enum ThisProgram {
    static var path: String {
        find(
            CommandLine.arguments.first ?? "", in: ProcessInfo.processInfo.environment["PATH"] ?? "",
            folder: FileManager.default.currentDirectoryPath,
            executable: Bundle.main.executablePath ?? CommandLine.arguments[0])
    }

    /// Returns the absolute path under which the program was started. It may be a link, which stays valid when a package
    /// manager replaces the file behind it.
    /// - Parameters:
    ///   - name: The first argument of the process.
    ///   - executable: The program's file, returned if the name leads elsewhere.
    static func find(_ name: String, in path: String, folder: String, executable: String) -> String {
        let candidates =
            name.contains("/")
            ? [name.hasPrefix("/") ? name : "\(folder)/\(name)"]
            : path.split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }
        let found = candidates.first { FileManager.default.isExecutableFile(atPath: $0) && isSame($0, executable) }
        return found.map { URL(filePath: $0).standardizedFileURL.path } ?? executable
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var (first, second) = (stat(), stat())
        return stat(one, &first) == 0 && stat(other, &second) == 0
            && first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }
}
