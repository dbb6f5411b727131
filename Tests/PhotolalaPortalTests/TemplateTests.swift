import Testing

@testable import PhotolalaPortal

/// Values in pages are escaped as text.
@Suite struct TemplateTests {
    @Test("every template declares the content type or uses the layout, which does")
    func contentType() throws {
        let pragma = "{{% CONTENT_TYPE:PAGE}}\n"
        for (name, template) in Pages.templates {
            let text = String(decoding: template, as: UTF8.self)
            #expect(text.hasPrefix(pragma) || text.hasPrefix("{{<layout}}\n"), "\(name)")
            // A partial does not inherit the content type.
            for partial in text.matches(of: /\{\{> *(\w+)\}\}/).map(\.1) {
                let included = String(decoding: try #require(Pages.templates[String(partial)]), as: UTF8.self)
                #expect(included.hasPrefix(pragma), "\(partial)")
            }
        }
    }

    @Test("a name with combining marks or prefixes adds no markup to a page")
    func names() throws {
        let name = "\u{600}<meta http-equiv=refresh content=0>\"\u{301} onload=x>\u{301}&\u{301}'\u{301}"
        let photo: [String: any Sendable] = [
            "md5": "0", "link": name, "alt": name, "select": name, "page": name,
        ]
        let day: [String: any Sendable] = ["title": name, "photos": [photo]]
        let block: [String: any Sendable] = ["number": "0", "days": [day]]
        let content: [String: any Sendable] = [
            "blocks": [block], "isTrash": false,
            "months": [["title": name, "blocks": [block]] as [String: any Sendable]],
        ]
        let safe =
            "\u{600}&lt;meta http-equiv=refresh content=0&gt;&quot;\u{301} onload=x&gt;\u{301}&amp;\u{301}&#39;\u{301}"
        for template in ["library_blocks", "library"] {
            let html = try Pages(brand: .standard).html(template, content)
            #expect(
                html.unicodeScalars.split(separator: "<").allSatisfy {
                    !$0.starts(with: "meta http-equiv".unicodeScalars)
                })
            #expect(html.contains("src=\"\(safe)\"") && html.contains("alt=\"\(safe)\""))
        }
    }
}
