/// A photo's or video's name without its ending, as the files that belong together share it.
struct MediaName {
    /// The same for all of a group: `IMG_E1234` is what an iPhone calls the edited `IMG_1234`, and `IMG_O1234` what it
    /// calls the record of the edit.
    let shared: String
    let isEdited: Bool

    init(_ name: String) {
        let stem = name.utf8.lastIndex(of: UInt8(ascii: ".")).map { name[..<$0] } ?? name[...]
        let number = stem.dropFirst(5)
        let isDigits =
            !number.isEmpty && number.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let isMarked = isDigits && (stem.hasPrefix("IMG_E") || stem.hasPrefix("IMG_O"))
        shared = isMarked ? "IMG_\(number)" : String(stem)
        isEdited = isMarked && stem.hasPrefix("IMG_E")
    }
}

/// The name of a file that goes with a photo: what programs write beside it.
struct SidecarName {
    let type: MediaType
    /// What its photo may be called, the likeliest first.
    let photoNames: [String]
    /// What its photo may be called without the ending, as it is for `IMG_1.xmp` beside `IMG_1.jpg`.
    let stem: String?
    /// What a longer photo's name begins with.
    let cutName: String?

    /// Google Takeout writes `a.jpg.supplemental-metadata.json`, and cuts what stands before its ending at 46
    /// characters.
    private static let takeoutMark = ".supplemental-metadata"
    private static let takeoutLimit = 46

    /// `nil` for a name without a sidecar's ending.
    init?(_ name: String) {
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

    /// `a.jpg` and what is left of the mark behind it. The number of a second photo of one name stands before the
    /// photo's ending, but behind all of it here: `a.jpg(1).json` is about `a(1).jpg`.
    private static func namesByTakeout(_ base: String) -> [String] {
        let (plain, number) = withoutNumber(base)
        var names = [plain]
        for length in (1...takeoutMark.count).reversed() where plain.hasSuffix(takeoutMark.prefix(length)) {
            names.append(String(plain.dropLast(length)))
        }
        guard let number else { return names }
        let numbered = names.map { name in
            let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
            return "\(name[..<dot])(\(number))\(name[dot...])"
        }
        return [base] + numbered
    }

    /// A name without the `(1)` at its end, and the number.
    private static func withoutNumber(_ text: String) -> (String, Substring?) {
        guard text.hasSuffix(")"), let open = text.lastIndex(of: "(") else { return (text, nil) }
        let number = text[text.index(after: open)...].dropLast()
        guard !number.isEmpty, number.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return (text, nil)
        }
        return (String(text[..<open]), number)
    }
}
