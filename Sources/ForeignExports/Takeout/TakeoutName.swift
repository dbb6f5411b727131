/// The names of files in a Takeout. Google truncates them and counts in UTF-16 code units.
enum TakeoutName {
    /// The longest name of a description, without `(1)` and `.json`.
    static let descriptionLimit = 46
    /// The longest name of a photo, without `(1)`.
    static let mediaLimit = 51
    /// Longer names have a `(1)` that was added after the truncation.
    static let longestUnnumbered = 52
    /// Appended to the photo's name since 2024, before the truncation.
    static let supplement = ".supplemental-metadata"

    static func units(_ text: some StringProtocol) -> Int { text.utf16.count }

    /// Returns the beginning of a text that has at most this many UTF-16 code units, without half a character.
    static func cut(_ text: String, _ limit: Int) -> String {
        guard units(text) > limit else { return text }
        var (result, count) = (String.UnicodeScalarView(), 0)
        for scalar in text.unicodeScalars {
            count += UTF16.width(scalar)
            if count > limit { break }
            result.append(scalar)
        }
        return String(result)
    }

    /// A name without the `(1)` at its end, and the digits; without a number, the whole name.
    struct Numbered: Hashable {
        let base: String
        let number: String?
    }

    /// Returns how a stem can be read: with its number, if it has one, and as a whole.
    static func readings(of stem: String) -> [Numbered] {
        let whole = Numbered(base: stem, number: nil)
        guard stem.hasSuffix(")"), let open = stem.utf8.lastIndex(of: UInt8(ascii: "(")) else { return [whole] }
        let digits = stem[stem.utf8.index(after: open)...].dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy(ExportedName.isDigit) else { return [whole] }
        return [Numbered(base: String(stem[..<open]), number: String(digits)), whole]
    }

    /// Returns a title with the characters replaced that Google replaces in file names.
    static func sanitized(_ title: String) -> String {
        String(
            String.UnicodeScalarView(title.unicodeScalars.map { $0.value < 32 || replaced.contains($0) ? "_" : $0 }))
    }

    private static let replaced: Set<Unicode.Scalar> = [
        "/", "\\", ":", "*", "?", "\"", "<", ">", "|", "%", "&", "#", "'",
    ]
}

/// Endings of names that a Takeout adds or uses.
enum TakeoutEnding {
    /// What Google Photos appends to the name of an edited version, by the account's language.
    static let edited = [
        "-edited", "-bearbeitet", "-modifié", "-modificato", "-editat", "-ha editado", "-edytowane", "-bewerkt",
        "-編集済み", "-düzenlendi", "-editado", "-editada", "-отредактировано", "-编辑", "-已编辑", "-편집됨", "-muokattu",
        "-відредаговано", "-redigeret", "-upravené", "-đã chỉnh sửa", "-redigerad", "-redigert", "-upraveno",
        "-수정됨", "-已編輯", "-effects", "-smile", "-mix",
    ].map(ExportedName.normalized)

    static let photos = [
        "jpg", "jpeg", "heic", "heif", "png", "gif", "webp", "dng", "avif", "jxl", "tif", "tiff", "bmp", "raf", "arw",
        "cr2", "cr3", "nef", "orf", "rw2",
    ]
    static let videos = [
        "mp4", "mov", "m4v", "mp", "mv", "cover", "avi", "3gp", "mkv", "mts", "m2ts", "mpg", "webm", "wmv",
    ]
    /// The moving pictures of a still photo, MP4 files.
    private static let motions: Set<String> = ["mp", "mv", "cover"]
    /// Formats between which Google Photos converts.
    private static let stills: Set<String> = ["jpg", "jpeg", "heic", "heif", "png", "webp", "dng"]

    /// Returns an extension in lower case, without its dot and number.
    static func plain(_ ending: String) -> String {
        String(ending.dropFirst().prefix { $0 != "~" }).lowercased()
    }

    static func isVideo(_ ending: String) -> Bool { videos.contains(plain(ending)) }

    static func isMotion(_ ending: String) -> Bool { motions.contains(plain(ending)) }

    /// Returns whether a file with one extension can be that of a title with another one.
    static func areConvertible(_ first: String, _ second: String) -> Bool {
        let (first, second) = (plain(first), plain(second))
        if first == second || first.isEmpty || second.isEmpty { return true }
        return stills.contains(first) && stills.contains(second) || videos.contains(first) && videos.contains(second)
    }
}
