/// The name of a photo or video without its extension, as shared by the files of a group.
package struct MediaName {
    /// The same for all files of a group: an iPhone names the edited version of `IMG_1234` `IMG_E1234`, and the record
    /// of the edit `IMG_O1234`.
    let shared: String
    package let isEdited: Bool

    package init(_ name: String) {
        let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
        let number = stem.dropFirst(5)
        let isDigits =
            !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if let original = Self.original(ofEdited: stem) {
            (shared, isEdited) = (original, true)
            return
        }
        let isMarked = isDigits && (stem.hasPrefix("IMG_E") || stem.hasPrefix("IMG_O"))
        shared = isMarked ? "IMG_\(number)" : String(stem)
        isEdited = isMarked && stem.hasPrefix("IMG_E")
    }

    /// The number of hexadecimal digits that distinguish the photos of a source.
    package static let markLength = 12
    /// Follows the digits in the name of an edited version.
    package static let editedSuffix = " edited"

    /// Returns the original's stem, `a (0123456789ab)`, for that of an edited version, `a (0123456789ab edited)`.
    private static func original(ofEdited stem: Substring) -> String? {
        guard stem.hasSuffix("\(editedSuffix))") else { return nil }
        let original = stem.dropLast(editedSuffix.count + 1)
        let digits = original.suffix(markLength)
        let isMark = digits.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        guard isMark, digits.utf8.count == markLength, original.dropLast(markLength).hasSuffix(" (") else { return nil }
        return original + ")"
    }
}

/// The name of a sidecar file.
package struct SidecarName {
    package let type: MediaType
    /// Possible names of its photo, most likely first.
    let photoNames: [String]
    /// The name of its photo without the extension, as for `IMG_1.xmp` with `IMG_1.jpg`.
    let stem: String?
    /// The beginning of its photo's name, if the sidecar's name was truncated.
    let cutName: String?

    /// Google Takeout writes `a.jpg.supplemental-metadata.json`, and truncates the part before the extension to 46
    /// characters.
    private static let takeoutSuffix = ".supplemental-metadata"
    private static let takeoutLimit = 46

    /// Returns `nil` for a name without a sidecar extension.
    package init?(_ name: String) {
        let kinds: [(ending: String, type: MediaType)] = [
            (".xmp", .xmp), (".aae", .appleEdits), (".json", .takeoutDescription),
        ]
        guard let kind = kinds.first(where: { name.suffix($0.ending.count).lowercased() == $0.ending }) else {
            return nil
        }
        let base = String(name.dropLast(kind.ending.count))
        guard !base.isEmpty else { return nil }
        type = kind.type
        if type == .takeoutDescription {
            photoNames = Self.namesByTakeout(base)
            stem = nil
            cutName = base.count >= Self.takeoutLimit ? base : nil
        } else {
            photoNames = [base]
            stem = MediaName(base + ".").shared
            cutName = nil
        }
    }

    /// Returns the names under which Google Takeout writes the description of a photo, older forms first.
    package static func takeoutNames(of photo: String) -> [String] {
        ["\(photo).json", "\(photo)\(takeoutSuffix).json", "\("\(photo)\(takeoutSuffix)".prefix(takeoutLimit)).json"]
    }

    /// Returns possible photo names: the name without the (possibly truncated) marker. The number of a duplicate name
    /// is inside the photo's name, but at the end of the sidecar's: `a.jpg(1).json` describes `a(1).jpg`.
    private static func namesByTakeout(_ base: String) -> [String] {
        let (plain, number) = withoutNumber(base)
        var names = [plain]
        for length in (1...takeoutSuffix.count).reversed() where plain.hasSuffix(takeoutSuffix.prefix(length)) {
            names.append(String(plain.dropLast(length)))
        }
        guard let number else { return names }
        let numbered = names.map { name in
            let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
            return "\(name[..<dot])(\(number))\(name[dot...])"
        }
        return [base] + numbered
    }

    /// Returns a name without the `(1)` at its end, and the number.
    private static func withoutNumber(_ text: String) -> (String, Substring?) {
        guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return (text, nil) }
        let number = text[text.index(after: open)...].dropLast()
        guard !number.isEmpty, number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return (text, nil)
        }
        return (String(text[..<open]), number)
    }
}
