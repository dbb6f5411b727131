/// The maker and model of a camera as one text for display, such as `Apple iPhone 15 Pro`.
///
/// At most 64 bytes of UTF-8, without control characters, invisible ones, spaces at the ends and doubled spaces. A text that a spreadsheet
/// would run as a formula is no name.
package struct CameraName: Sendable, Hashable, Comparable, CustomStringConvertible {
    package static let longest = 64

    package let description: String

    /// Returns `nil` for anything but the text of a name.
    package init?(_ text: String) {
        guard Self.isName(text.utf8), !text.unicodeScalars.contains(where: \.isRefused) else { return nil }
        description = text
    }

    /// Returns `nil` also for bytes that are not UTF-8.
    init?(utf8: UnsafeBufferPointer<UInt8>) {
        guard Self.isName(utf8), let text = String(validating: utf8, as: UTF8.self) else { return nil }
        self.init(text)
    }

    /// Checks everything but characters outside of ASCII.
    private static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        guard (1...longest).contains(bytes.count), let first = bytes.first, !"=+-@".utf8.contains(first) else {
            return false
        }
        let space = UInt8(ascii: " ")
        var last = space
        for byte in bytes {
            guard byte >= space, byte != 0x7f, byte != space || last != space else { return false }
            last = byte
        }
        return last != space
    }

    /// Joins the fields of a file. The maker is left out if the first word of the model is one of its words: `NIKON
    /// CORPORATION` and `NIKON D850` are `NIKON D850`. It is also left out if the name would be too long.
    ///
    /// Texts end at a zero, and spaces and control characters between words become one space.
    package init?(make: String?, model: String?) {
        let (make, model) = (make.flatMap(Self.cleaned), model.flatMap(Self.cleaned))
        guard let model else {
            guard let make else { return nil }
            self.init(make)
            return
        }
        if let make, !Self.isRepeated(make, in: model), let both = CameraName("\(make) \(model)") {
            self = both
        } else {
            self.init(model)
        }
    }

    private static func cleaned(_ text: String) -> String? {
        let words = text.unicodeScalars.prefix { $0.value != 0 }.split { scalar in
            scalar.properties.isWhitespace || scalar.isUnshown || scalar.isRefused
        }
        return words.isEmpty ? nil : words.map { String($0) }.joined(separator: " ")
    }

    private static func isRepeated(_ make: String, in model: String) -> Bool {
        guard let first = words(model).first else { return false }
        return words(make).contains(first)
    }

    /// The runs of letters in lower case.
    private static func words(_ text: String) -> [[Unicode.Scalar]] {
        text.lowercased().unicodeScalars.split { !$0.isLetter }.map(Array.init)
    }

    package static func < (left: CameraName, right: CameraName) -> Bool {
        left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }

    package static func == (left: CameraName, right: CameraName) -> Bool {
        left.description.utf8.elementsEqual(right.description.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        var text = description
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension Unicode.Scalar {
    /// Whether it belongs to the general category L.
    fileprivate var isLetter: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// Whether no name has it: a control or format character, a separator of lines, or one that is not shown. Joined
    /// names have no unassigned characters either, so a later version of Unicode refuses none of them.
    fileprivate var isRefused: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether it belongs to the general category C: control and format characters, and those without a meaning.
    fileprivate var isUnshown: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned: true
        default: false
        }
    }
}
