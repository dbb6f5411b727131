import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PhotolalaAPI

/// What a page's own script is told when something was refused.
struct ScriptError: Encodable {
    let code: ErrorCode
    /// For the person, in their language.
    let message: String
}

extension Response {
    /// An answer to a page's own script.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(
            status: status,
            headers: [
                .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: .init(byteBuffer: ByteBuffer(data: try JSONEncoder().encode(value))))
    }
}

extension Texts {
    /// What an error means to a person.
    func words(for code: ErrorCode) -> String { member(code.rawValue, of: .error) ?? self(.errorOther) }
}
