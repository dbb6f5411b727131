import Hummingbird
import PhotolalaAPI

/// What a page asks before an act that is hard to undo. Its form sends the act again, with `Question.answer`.
struct Question {
    /// The field that says that the person was asked.
    static let answer = "confirmed"

    let title: String
    let text: String
    /// A further paragraph.
    var note: String?
    let button: String
    /// Where the form is sent, with which fields beside its token.
    let action: String
    let fields: [(name: String, value: String)]
    let back: String
}

extension AccountPages {
    /// An act of a form that is done only after its question was answered.
    /// - Parameter question: of the act that a form asks for.
    func act<Context: RequestContext>(
        _ path: String, on router: RouterGroup<Context>,
        after question: @escaping @Sendable (AccountPage, Form) async throws -> Question,
        _ answer: @escaping @Sendable (AccountPage, Form) async throws -> Response
    ) {
        act(path, on: router) { page, form in
            guard form[Question.answer] == nil else { return try await answer(page, form) }
            return try ask(try await question(page, form), page)
        }
    }

    func ask(_ question: Question, _ page: AccountPage) throws -> Response {
        let fields = question.fields + [(Form.tokenField, page.formToken), (Question.answer, "1")]
        var content: [String: any Sendable] = [
            "title": question.title, "text": question.text, "button": question.button,
            "action": question.action, "back": question.back,
            "fields": fields.map { ["name": $0.name, "value": $0.value] },
        ]
        content["note"] = question.note
        return try desk.page("question", content, page.visit)
    }
}
