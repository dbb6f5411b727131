/// The rules by which immich-go (`adapters/googlePhotos`) finds the JSON file of a photo in a folder of a Google Takeout.
enum ImmichGoRules {
    private static let mediaEndings: Set = [
        "jpg", "jpeg", "png", "heic", "gif", "webp", "dng", "mov", "mp4", "avi", "3gp",
    ]

    /// Returns the description of each photo of a folder. Each rule is applied to all descriptions in order, before the next
    /// rule; a photo that has a description gets no other one.
    static func descriptions(ofFilesNamed names: [String]) -> [String: String] {
        let jsons = names.filter { ending($0) == "json" }.sorted()
        var photos = Set(names).subtracting(jsons)
        var found: [String: String] = [:]
        for rule in [isSame, isNumbered, isEdited, isForgottenDuplicate] {
            for json in jsons {
                for photo in photos where rule(withoutEnding(json), json, photo) {
                    found[photo] = json
                    photos.remove(photo)
                }
            }
        }
        return found
    }

    /// `a.jpg.json` describes `a.jpg`.
    private static func isSame(_ base: String, _ json: String, _ photo: String) -> Bool { base == photo }

    /// `a.jpg(1).json` describes `a(1).jpg`, and the name of a photo is cut after 46 characters.
    private static func isNumbered(_ base: String, _ json: String, _ photo: String) -> Bool {
        let (photo, number) = withoutNumber(photo)
        let (json, jsonNumber) = withoutNumber(json)
        guard number == jsonNumber else { return false }
        let base = withoutEnding(json)
        if base == photo { return true }
        guard photo.utf8.count > 46 else { return false }
        let scalars = photo.unicodeScalars
        if scalars.count > 46 { return String(String.UnicodeScalarView(scalars.prefix(46))) == base }
        return String(withoutEnding(photo).unicodeScalars.dropLast()) == base
    }

    /// `a.jpg.json` describes `a-edited.jpg`.
    private static func isEdited(_ base: String, _ json: String, _ photo: String) -> Bool {
        guard withoutNumber(photo).number == nil, mediaEndings.contains(ending(base)) else { return false }
        return withoutEnding(photo).hasPrefix(withoutEnding(base))
    }

    /// `original_1.json` describes `original_1P.jpg` and `original_1P(1).jpg`.
    private static func isForgottenDuplicate(_ base: String, _ json: String, _ photo: String) -> Bool {
        let stem = withoutEnding(photo)
        return stem.hasPrefix(base) && stem.unicodeScalars.count - base.unicodeScalars.count < 10
    }

    private static func ending(_ name: String) -> String {
        name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
    }

    private static func withoutEnding(_ name: String) -> String {
        name.lastIndex(of: ".").map { String(name[..<$0]) } ?? name
    }

    /// Removes the last number in parentheses.
    private static func withoutNumber(_ name: String) -> (name: String, number: String?) {
        guard let open = name.lastIndex(of: "("), let close = name.lastIndex(of: ")"), open < close,
            Int(name[name.index(after: open)..<close]) != nil
        else { return (name, nil) }
        let rest = String(name[..<open]) + String(name[name.index(after: close)...])
        return (rest, String(name[name.index(after: open)..<close]))
    }
}
