import Foundation

/// A continuous sync of a folder, which the system starts when the user signs in to the machine.
struct SyncService: Equatable {
    static let mark = "Written by `photolala service install`."
    private static let prefix = "photolala-sync-"

    /// The absolute path of the folder.
    let folder: String
    /// The program and its arguments.
    let command: [String]

    init(folder: String, program: String, options: [String]) {
        self.folder = folder
        command = [program, "sync", folder, "--watch"] + options
    }

    var name: String { Self.name(of: folder) }

    /// Returns the name of a folder's service: the folder's name, as far as it has letters and digits, and a number that
    /// differs for each path (FNV-1a), because units of a user have no folders.
    static func name(of folder: String) -> String {
        let number = folder.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        let digits = String(number, radix: 16)
        let last = (folder as NSString).lastPathComponent.lowercased().unicodeScalars
            .map { $0.properties.isAlphabetic && $0.isASCII || "0"..."9" ~= $0 ? Character($0) : "-" }
        let word = String(last).split(separator: "-").joined(separator: "-").prefix(32)
        let tail = String(repeating: "0", count: 16 - digits.count) + digits
        return "\(prefix)\(word.isEmpty ? "" : "\(word)-")\(tail)"
    }

    /// Returns whether a file's name is that of a service.
    static func isName(_ text: String) -> Bool { text.hasPrefix(prefix) }
}
