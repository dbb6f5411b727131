import Foundation

/// The entries of a library that paths refer to: an entry at the path, and all entries in a folder there.
struct SelectedPaths {
    /// For each entry, whether it is selected.
    private(set) var isSelected: [Bool]
    /// Paths at which there are no entries.
    private(set) var unknown: [String] = []

    init(_ paths: [String], among entries: CatalogEntries) {
        isSelected = Array(repeating: false, count: entries.count)
        var byNormalizedPath: [[UInt8]: String] = [:]
        for path in paths {
            let plain = Self.plain(path)
            let bytes = Array(plain.utf8)
            if plain.isEmpty {
                // `.` is the library's root folder; an empty text is a mistake.
                if path.hasPrefix(".") { mark(entries.indices) } else { unknown.append(path) }
            } else if bytes.contains(where: { $0 >= 0x80 }) {
                byNormalizedPath[Self.composed(plain)] = path
            } else if !mark(bytes, among: entries) {
                unknown.append(path)
            }
        }
        if !byNormalizedPath.isEmpty { markAnyNormalization(byNormalizedPath, among: entries) }
    }

    /// Entries are sorted by the bytes of their paths.
    private mutating func mark(_ path: [UInt8], among entries: CatalogEntries) -> Bool {
        let own = entries.firstIndex(notBefore: path)..<entries.firstIndex(notBefore: path + [0])
        let slash = UInt8(ascii: "/")
        let below = entries.firstIndex(notBefore: path + [slash])..<entries.firstIndex(notBefore: path + [slash + 1])
        mark(own)
        mark(below)
        return !own.isEmpty || !below.isEmpty
    }

    private mutating func mark(_ range: Range<Int>) {
        for index in range { isSelected[index] = true }
    }

    /// Marks entries by path, ignoring differences in Unicode composition, which are invisible.
    private mutating func markAnyNormalization(_ paths: [[UInt8]: String], among entries: CatalogEntries) {
        var found: Set<[UInt8]> = []
        for index in entries.indices {
            let path = entries.withPath(index) { path in
                path.contains { $0 >= 0x80 } ? Self.composed(String(decoding: path, as: UTF8.self)) : []
            }
            for end in path.indices.filter({ path[$0] == UInt8(ascii: "/") }) + [path.count] {
                let beginning = Array(path[..<end])
                guard paths[beginning] != nil else { continue }
                found.insert(beginning)
                isSelected[index] = true
            }
        }
        unknown += paths.filter { !found.contains($0.key) }.map(\.value).sorted()
    }

    private static func composed(_ path: String) -> [UInt8] { Array(path.precomposedStringWithCanonicalMapping.utf8) }

    /// Returns the path without a leading `./` and trailing `/`, which shells may add.
    static func plain(_ path: String) -> String {
        var path = path[...]
        while path.hasPrefix("./") { path = path.dropFirst(2) }
        while path.hasSuffix("/") { path = path.dropLast() }
        return path == "." ? "" : String(path)
    }
}

/// Paths at which a library has no entries.
package struct UnknownPaths: Error, Equatable, Sendable {
    package let paths: [String]
}
