"""What a client knows about its game, and what it tells the server without being asked to.

A session outlives the connections it is carried by: after a lost one it says who we are and asks
for what may have been missed. It has no I/O; messages go in, messages to be sent come out.
"""

import enum
from typing import TypeAlias

from daide.followed_game import FollowedGame
from grammar.messages import (
    AcceptMap,
    AskHello,
    AskMap,
    AskMapDefinition,
    AskNow,
    AskOrders,
    AskOwnership,
    CancelDraw,
    CancelGo,
    CancelOrders,
    ClientMessage,
    Go,
    Huh,
    IAm,
    MapDefinition,
    MapName,
    Name,
    Now,
    Observe,
    Rej,
    RequestDraw,
    SendPress,
    ServerMessage,
    SubmitOrders,
    Yes,
)
from rules.turns import Turn

Identity: TypeAlias = Name | Observe | IAm

_MAP_UNTOLD = (Rej(AskMapDefinition()),)
_FOR_THIS_TURN = (SubmitOrders, CancelOrders, Go, CancelGo, RequestDraw, CancelDraw)


class SessionStage(enum.Enum):
    """How far we are known to the server on the present connection."""

    STRANGER = "not introduced"
    ASKING = "waiting for the answer to our introduction"
    REFUSED = "introduction refused"
    AGREEING = "accepted, the map is not settled"
    CATCHING_UP = "back in the game, asking for what was missed"
    SETTLED = "in the game"


class Session(FollowedGame):
    """One client's part in one game.

    With `agrees_to_map` the map is asked for and accepted; otherwise that is left to the author.
    """

    def __init__(self, *, agrees_to_map: bool = True) -> None:
        super().__init__()
        self.stage = SessionStage.STRANGER
        self._agrees_to_map = agrees_to_map
        self._identity: Identity | None = None
        self._has_insisted = False

    @property
    def is_in_game(self) -> bool:
        """Whether the server knows us and we have asked for all we need."""
        return self.stage in (SessionStage.AGREEING, SessionStage.SETTLED)

    @property
    def why_refused(self) -> str:
        """Say what a refusal may mean; the protocol does not tell."""
        match self._identity:
            case IAm(power):
                taken = f"{power} has a client or is locked"
                return f"the passcode is wrong, {taken}, or its game does not run"
            case Name():
                return "the game is full, has begun, or has no seat for our name"
            case _:
                return "the game takes no observer now"

    def introduce(self, identity: Identity) -> Identity:
        """Return the message that says who we are."""
        self._identity = identity
        self._has_insisted = False
        self.stage = SessionStage.ASKING
        return identity

    def introduce_again(self) -> Identity | None:
        """Return who we are on a new connection, None if we never said.

        A player that has its power comes back to it; the place of one that waits for the start has
        become free again, so it asks for a new one.
        """
        identity = self._identity
        if self.hello is not None and self.hello.power is not None:
            identity = IAm(self.hello.power, self.hello.passcode)
        self.stage = SessionStage.STRANGER
        return None if identity is None else self.introduce(identity)

    def receive(self, message: ServerMessage) -> list[ClientMessage]:
        """Learn from a message and return what we answer without troubling the author."""
        self.learn(message)
        match self.stage:
            case SessionStage.ASKING:
                return self._on_answer(message)
            case SessionStage.AGREEING if self._agrees_to_map:
                return self._on_map(message)
            case SessionStage.CATCHING_UP:
                return self._on_news(message)
        return []

    def is_late(self, message: ClientMessage, written: Turn | None) -> bool:
        """Whether a message written in some turn has no meaning any more in the present one."""
        if isinstance(message, SubmitOrders | SendPress) and message.turn is not None:
            return message.turn != self.turn
        return isinstance(message, _FOR_THIS_TURN) and written != self.turn

    def _on_answer(self, message: ServerMessage) -> list[ClientMessage]:
        match message:
            case Yes(IAm()):
                self.stage = SessionStage.CATCHING_UP
                return self._questions()
            case Yes(Name() | Observe()):
                self.stage = SessionStage.AGREEING
            # While a game waits for a player of our name, the first NME may be meant to be IAM.
            case Rej(Name() as name) if not self._has_insisted:
                self._has_insisted = True
                return [name]
            # A server that cannot read our introduction will not let us in either.
            case Rej(Name() | Observe() | IAm()) | Huh():
                self.stage = SessionStage.REFUSED
        return []

    def _questions(self) -> list[ClientMessage]:
        """Return all that a player asks who comes back; each is answered in its turn."""
        known: list[ClientMessage] = [AskMap()]
        if self.map_definition is None:
            known.append(AskMapDefinition())
        return [*known, AskHello(), AskOrders(), AskOwnership(), AskNow()]

    def _on_map(self, message: ServerMessage) -> list[ClientMessage]:
        if isinstance(message, MapName) and self.map_definition is None:
            return [AskMapDefinition()]
        if isinstance(message, MapName | MapDefinition) or message in _MAP_UNTOLD:
            assert self.map_name is not None
            self.stage = SessionStage.SETTLED
            return [AcceptMap(self.map_name)]
        return []

    def _on_news(self, message: ServerMessage) -> list[ClientMessage]:
        # NOW was asked for last, so everything else has been answered.
        if isinstance(message, Now) or message == Rej(AskNow()):
            self.stage = SessionStage.SETTLED
        return []
