import CEmbeddedFiles
import Foundation

/// All texts of the portal's pages and the app's screens in all languages, read from `Resources/texts.json`.
package struct TextCatalog: Sendable {
    /// The supported languages. The first is the default.
    package static let languages = ["en", "de", "ja", "ko", "es"]

    /// The content of `Resources/texts.json`.
    package static var source: UnsafeBufferPointer<UInt8> {
        let file = photolala_texts()
        return UnsafeBufferPointer(start: file.bytes, count: file.size)
    }

    /// The texts of `Resources/texts.json` by name and language. They are parsed once for each process.
    private static let embedded = Result { try parse(source) }

    private let texts: [String: LocalizedStrings]

    /// - Parameter service: The name of the service in the texts.
    /// - Throws: If `Resources/texts.json` is malformed.
    package init(service: String) throws { try self.init(entries: Self.embedded.get(), service: service) }

    /// - Throws: If the catalog is not JSON with texts by name and language.
    package init(_ json: some DataProtocol, service: String) throws {
        try self.init(entries: Self.parse(json), service: service)
    }

    private init(entries: [String: [String: String]], service: String) {
        let placeholder = "{\(TextPlaceholder.service.rawValue)}"
        var texts: [String: LocalizedStrings] = [:]
        for language in Self.languages {
            let all = entries.compactMapValues { languages -> String? in
                // Most texts have no placeholder, and a search for a byte is cheaper than one for a string.
                guard let text = languages[language], text.utf8.contains(UInt8(ascii: "{")) else {
                    return languages[language]
                }
                return text.replacing(placeholder, with: service)
            }
            texts[language] = LocalizedStrings(language: language, all: all)
        }
        self.texts = texts
    }

    private static func parse(_ json: some DataProtocol) throws -> [String: [String: String]] {
        try JSONDecoder().decode([String: [String: String]].self, from: Data(json))
    }

    /// Returns the texts in the reader's preferred language.
    /// - Parameters:
    ///   - field: The value of `Accept-Language` (RFC 9110 section 12.5.4).
    ///   - chosen: The language that the reader chose, if it is one of ours.
    package func strings(for field: String?, chosen: String? = nil) -> LocalizedStrings {
        let wanted = [chosen].compactMap { $0 } + Self.preferredLanguages(field)
        let language = wanted.first { texts[$0] != nil } ?? Self.languages[0]
        return texts[language] ?? LocalizedStrings(language: language, all: [:])
    }

    /// Returns the reader's preferred language among ours; `nil` if the reader prefers others.
    /// - Parameter field: The value of `Accept-Language` (RFC 9110 section 12.5.4).
    package static func language(for field: String?) -> String? {
        preferredLanguages(field).first(where: languages.contains)
    }

    /// Returns primary languages by quality, in their order within the same quality.
    private static func preferredLanguages(_ field: String?) -> [String] {
        let ranges = (field ?? "").prefix(500).split(separator: ",").compactMap { part -> (String, Double)? in
            let pieces = part.split(separator: ";").map { $0.filter { !$0.isWhitespace } }
            guard let language = pieces.first?.split(separator: "-").first?.lowercased() else { return nil }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return quality > 0 ? (language, quality) : nil
        }
        return ranges.enumerated()
            .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element.0)
    }
}
