import PhotolalaTesting
import Testing

@testable import PhotolalaClient

/// The answer of a system's sheet.
@Suite struct OneAnswerTests {
    @Test func `the first answer counts`() async {
        let answer = OneAnswer<Int>()
        let result = await answer.value {
            answer.give(.success(1))
            answer.give(.success(2))
        } close: {
            Issue.record("closed")
        }
        #expect((try? result.get()) == 1)
        answer.give(.success(3))
    }

    @Test func `a cancelled task closes the sheet and does not wait for it`() async {
        let (shown, closed) = (Gate(), Gate())
        let answer = OneAnswer<Int>()
        let task = Task {
            await answer.value {
                shown.open()
            } close: {
                closed.open()
            }
        }
        await shown.wait()
        task.cancel()
        let result = await task.value
        // The system's late answer has no effect.
        answer.give(.success(1))
        #expect(result == .failure(.cancelled))
        await closed.wait()
    }

    @Test func `a task that is already cancelled shows nothing`() async {
        let answer = OneAnswer<Int>()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await answer.value {
                Issue.record("shown")
            } close: {
            }
        }
        #expect(await task.value == .failure(.cancelled))
    }
}
