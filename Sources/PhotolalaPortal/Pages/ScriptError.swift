import Foundation
import HTTPTypes
import Hummingbird
import Localization
import NIOCore
import PhotolalaAPI

/// An error response for a page's own script.
struct ScriptError: Encodable {
    let code: ErrorCode
    /// The text for the person, in their language.
    let message: String
}

extension Response {
    /// Creates a response for a page's own script.
    init(json value: some Encodable, status: HTTPResponse.Status = .ok) throws {
        self.init(
            status: status,
            headers: [
                .contentType: "application/json", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: .init(byteBuffer: ByteBuffer(data: try JSONEncoder().encode(value))))
    }
}

extension LocalizedStrings {
    /// Returns the text for an error code.
    func message(for code: ErrorCode) -> String { member(code.rawValue, of: .error) ?? self(.errorOther) }
}
