import Foundation
import NIOCore
import PhotolalaAPI

/// An identity binding: the account that a provider identity belongs to. The account id is on the first line, the link
/// id on the second.
package struct IdentityBinding: Equatable, Sendable {
    package let user: UserID
    package let link: LinkID

    package init(user: UserID, link: LinkID) {
        self.user = user
        self.link = link
    }

    /// Returns `nil` for malformed bytes.
    package init?(_ bytes: ByteBuffer) {
        let lines = String(buffer: bytes).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty, let user = UserID(String(lines[0])),
            let link = LinkID(String(lines[1]))
        else { return nil }
        self.init(user: user, link: link)
    }

    package var bytes: ByteBuffer { ByteBuffer(string: "\(user)\n\(link)\n") }
}
