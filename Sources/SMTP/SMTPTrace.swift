/// A step on the way to a sent message.
package enum SMTPStep: Sendable, Equatable {
    /// The host was found, and accepts connections at this IP address.
    case connected(address: String)
    case encrypted
    /// The server answered `EHLO`.
    case greeted
    case authenticated
    /// The server took over the message.
    case accepted
}

/// How far one message came.
package struct SMTPTrace: Sendable, Equatable {
    /// The steps that succeeded, in order.
    package let steps: [SMTPStep]
    /// Why the next step failed; `nil` if the server accepted the message.
    package let failure: SMTPError?

    package init(steps: [SMTPStep], failure: SMTPError?) { (self.steps, self.failure) = (steps, failure) }
}

/// Called after each step of opening a connection.
typealias SMTPProgress = @Sendable (SMTPStep) -> Void
