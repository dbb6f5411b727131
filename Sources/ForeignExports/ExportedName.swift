import Foundation

/// The names of files and folders in exports.
enum ExportedName {
    /// Returns a name in the normalization form in which names are compared.
    static func normalized(_ name: String) -> String { name.precomposedStringWithCanonicalMapping }

    /// Splits the extension, with its dot, from a name. `.MP~2` counts as one.
    static func split(_ name: String) -> (stem: String, ending: String) {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return (name, "") }
        let ending = name[dot...].dropFirst().utf8
        let letters = ending.prefix { $0 != UInt8(ascii: "~") }
        let number = ending.dropFirst(letters.count)
        let isNumber = number.isEmpty || number.count > 1 && number.dropFirst().allSatisfy(isDigit)
        guard (1...5).contains(letters.count), letters.allSatisfy(isLetterOrDigit), isNumber else { return (name, "") }
        return (String(name[..<dot]), String(name[dot...]))
    }

    static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Returns whether systems add files with this name beside photos.
    static func isOfSystem(_ name: String, in folder: String) -> Bool {
        // A photo's name can begin with a dot too.
        name.hasPrefix("._") || name.hasPrefix(".") && split(name).ending.isEmpty
            || ["thumbs.db", "desktop.ini"].contains(name.lowercased()) || folder.hasPrefix("__MACOSX")
            || folder.hasSuffix("@eaDir") || folder.contains("@eaDir/")
    }

    /// Returns the folder of a folder, which is empty at the top; `nil` for that.
    static func parent(of folder: String) -> String? {
        guard !folder.isEmpty else { return nil }
        return folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(folder[..<$0]) } ?? ""
    }

    /// Returns the name of a folder.
    static func last(of folder: String) -> String {
        folder.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(folder[folder.utf8.index(after: $0)...]) } ?? folder
    }

    /// Files in folders that are nested more deeply are not part of an export.
    static let maximumDepth = 32

    /// Returns the normalized folder and name of a file; `nil` for a folder and for what is nested too deeply.
    static func location(of path: String) -> (folder: String, name: String)? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !path.hasSuffix("/"), let last = parts.last, parts.count <= maximumDepth + 1 else { return nil }
        return (normalized(parts.dropLast().joined(separator: "/")), normalized(String(last)))
    }
}
