import Foundation
import PhotolalaTesting

/// A value with every kind of member that documents and bodies have.
struct SampleValue: Codable, Equatable {
    enum Kind: String, Codable, CaseIterable { case plain, other }

    struct Part: Codable, Equatable {
        var number: Int64
        var small: UInt8
        var share: Double
        var isOn: Bool
    }

    var text: String
    var optional: String?
    var kind: Kind
    var id: UUID
    var date: Date
    var data: Data
    var part: Part?
    var parts: [Part]
    var names: [String: Int]
    var kinds: [Kind: String]

    static func random(_ generator: inout SeededGenerator) -> SampleValue {
        func text() -> String {
            let characters = [
                "a", "Z", "\"", "\\", "/", "\n", "\u{0}", "\u{1f}", "\u{7f}", "é", "e\u{301}", "写",
                "👩‍👩‍👧", "\u{2028}",
            ]
            return (0..<Int.random(in: 0...12, using: &generator))
                .map { _ in characters.randomElement(using: &generator) ?? "" }.joined()
        }
        func part() -> Part {
            Part(
                number: Bool.random(using: &generator)
                    ? .random(in: .min ... .max, using: &generator) : .random(in: -9...9, using: &generator),
                small: .random(in: 0...255, using: &generator),
                share: Bool.random(using: &generator)
                    ? .random(in: -1e6...1e6, using: &generator) : Double(Int.random(in: -5...5, using: &generator)),
                isOn: .random(using: &generator))
        }
        let isShort = Bool.random(using: &generator)
        return SampleValue(
            text: text(), optional: isShort ? nil : text(), kind: isShort ? .plain : .other,
            id: UUID(
                uuid: (1, 2, 3, 4, 5, 6, 7, 8, .random(in: 0...255, using: &generator), 10, 11, 12, 13, 14, 15, 16)),
            date: Date(
                timeIntervalSince1970: Double(Int.random(in: -4_000_000_000...8_000_000_000, using: &generator))),
            data: Data(
                (0..<Int.random(in: 0...9, using: &generator)).map { _ in .random(in: 0...255, using: &generator) }),
            part: isShort ? nil : part(), parts: (0..<Int.random(in: 0...3, using: &generator)).map { _ in part() },
            names: isShort ? [:] : ["a": 1, text() + "b": 2], kinds: isShort ? [:] : [.plain: text(), .other: text()])
    }
}
