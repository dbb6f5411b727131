import Foundation
import Localization
import PhotolalaAPI
import PhotolalaUI
import Testing

@testable import PhotolalaPortal

/// The text catalog is complete in every language, and pages and the screens of apps use no other text.
@Suite struct TextCatalogTests {
    private func entries() throws -> [String: [String: String]] {
        try JSONDecoder().decode([String: [String: String]].self, from: Data(TextCatalog.source))
    }

    private func places(_ text: String) -> [String] {
        text.matches(of: /\{([a-z]+)\}/).map { String($0.1) }.sorted()
    }

    /// Returns the text names in templates: `{{t.name}}`, and the plain name within `{{#t}}`.
    private func named() throws -> Set<String> {
        var names: Set<String> = ["skip"]
        for (_, template) in Pages.templates {
            let text = String(decoding: template, as: UTF8.self)
            names.formUnion(text.matches(of: /\{\{t\.([a-z_]+)\}\}/).map { String($0.1) })
        }
        return names
    }

    @Test("every text exists in every language, with the same placeholders")
    func complete() throws {
        for (name, texts) in try entries() {
            #expect(texts.keys.sorted() == TextCatalog.languages.sorted(), "\(name)")
            let expected = places(texts["en"] ?? "")
            for (language, text) in texts {
                #expect(!text.isEmpty && places(text) == expected, "\(name) in \(language)")
                #expect(Set(expected).isSubset(of: TextPlaceholder.allCases.map(\.rawValue)), "\(name)")
            }
        }
    }

    @Test("the catalog contains exactly the texts that templates, pages and screens name")
    func used() throws {
        let (known, named) = (Set(try entries().keys), try named())
        let code = Set(TextName.allCases.map(\.rawValue) + Section.allCases.map(\.rawValue))
            .union(ScreenText.allCases.map(\.rawValue))
            .union([LocalizedStrings.itemTexts.one, LocalizedStrings.itemTexts.many])
        #expect(named.union(code).subtracting(known) == [])
        let families = TextFamily.allCases.map { "\($0.rawValue)_" }
        let others = known.subtracting(named).subtracting(code).filter { name in
            !families.contains { name.hasPrefix($0) }
        }
        #expect(others == [])
    }

    @Test("acts, tiers and link methods have texts")
    func families() throws {
        let texts = try TextCatalog(service: "Photolala").strings(for: "ko")
        let events: [AuditAction] = [
            .accountCreated, .providerLinked, .providerUnlinked, .providerUnlinkRequested, .providerUnlinkUndone,
            .providerRevoked, .providerSessionsEnded,
            .accountExported, .holdPlaced, .holdReleased, .deletionRequested, .deletionCancelled,
            .accountDisabled, .accountEnabled, .providerReactivated, .providerTransferred,
            .signedIn, .reauthenticated, .signedOut,
            .signedOutEverywhere, .refreshTokenReused, .deviceRemoved, .deviceForgotten, .deviceDisplaced,
            .subscriptionChanged, .quotaNearLimit, .quotaExceeded,
            .sharedLinkCreated, .sharedLinkChanged, .sharedLinkDeleted, .sharedLinkDisabled, .sharedLinkEnabled,
            .logUnverified,
        ]
        for act in events { #expect(texts.member(act.rawValue, of: .act) != nil, "\(act)") }
        for tier in Tier.allCases { #expect(texts.member(tier.rawValue, of: .tier) != nil) }
        for method in ["created", "user_initiated", "support"] { #expect(texts.member(method, of: .method) != nil) }
        for fullness in StorageFullness.allCases where fullness != .roomy {
            #expect(texts.member(fullness.rawValue, of: .fullness) != nil)
        }
        for state in [DeletionState.active, .scheduled, .erasing, .completed, .nothingStored] {
            #expect(texts.member(state.rawValue, of: .deletionState, [.date: "1"])?.contains("{") == false)
        }
        for code in [ErrorCode.accountDeleting, .storageReadOnly, .accountDisabled] {
            #expect(texts.message(for: code) != texts(.errorOther))
        }
        for kind in ["photos", "thumbnails", "catalogs", "data", "other"] {
            #expect(texts.member(kind, of: .kind, [.size: "1", .count: "2"])?.contains("{") == false)
        }
        #expect(texts.member("nothing.like_it", of: .act) == nil)
    }

    @Test(
        "a visitor gets the preferred language among those available",
        arguments: [
            (nil, "en"), ("", "en"), ("de", "de"), ("de-AT,de;q=0.9,en;q=0.8", "de"), ("fr,ja;q=0.5,en;q=0.4", "ja"),
            ("en;q=0.1, ko-KR;q=0.9", "ko"), ("es;q=0,en", "en"), ("ES-mx", "es"), (";;;,,q=1", "en"), ("*", "en"),
            ("de;q=x,ja;q=0.2", "ja"), ("fr", "en"),
        ])
    func language(_ field: String?, _ expected: String) throws {
        #expect(try TextCatalog(service: "Photolala").strings(for: field).language == expected)
    }

    @Test("sizes and days use the language's format")
    func numbers() throws {
        let catalog = try TextCatalog(service: "Photolala")
        let (english, german) = (catalog.strings(for: "en"), catalog.strings(for: "de"))
        #expect(english.size(0) == "0\u{a0}B" && english.size(999) == "999\u{a0}B" && english.size(-5) == "0\u{a0}B")
        #expect(english.size(1_234_000_000) == "1.2\u{a0}GB" && german.size(1_234_000_000) == "1,2\u{a0}GB")
        #expect(english.size(5_000_000_000) == "5\u{a0}GB" && english.size(.max) == "9,223,372\u{a0}TB")
        let day = Date(timeIntervalSince1970: 1_700_000_000)
        #expect(english.day(day) == "November 14, 2023" && german.day(day) == "14. November 2023")
        #expect(catalog.strings(for: "ja").day(day) == "2023年11月14日")
    }
}
